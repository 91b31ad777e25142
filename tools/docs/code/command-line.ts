import { createProgram } from '../../../packages/cli/src/program.js';
import { Terminal } from '../../../packages/cli/src/runtime/terminal.js';

type Command = ReturnType<typeof createProgram>;

/** Says what `latchkey` would not understand of these arguments, without running anything. */
export function commandLineFault(words: readonly string[]): string | undefined {
  let command = quietProgram();
  let rest = [...words];
  for (;;) {
    const child = command.commands.find(
      (one) => one.name() === rest[0] || one.aliases().includes(rest[0] ?? ''),
    );
    if (child === undefined) break;
    command = child;
    rest = rest.slice(1);
  }
  if (rest.some((word) => ['--help', '-h', '--version'].includes(word)) || rest[0] === 'help')
    return undefined;
  return argumentFault(command, rest);
}

function argumentFault(command: Command, words: string[]): string | undefined {
  try {
    const { operands, unknown } = command.parseOptions(words);
    const stranger = unknown.find((word) => word.startsWith('-'));
    const given = operands.length + unknown.length;
    const { length: most } = command.registeredArguments;
    const isOpen = command.registeredArguments.some(({ variadic }) => variadic);
    if (stranger !== undefined) return `${pathOf(command)} has no option ${stranger}`;
    if (command.commands.length > 0)
      return `${pathOf(command)} has no command ${operands[0] ?? '(none given)'}`;
    if (given > most && !isOpen) return `${pathOf(command)} takes ${most} argument(s), ${given} given`;
    return undefined;
  } catch (error) {
    // A value that the shell would fill in cannot be judged here.
    if (words.some((word) => word.includes('$'))) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

function pathOf(command: Command): string {
  const above: Command | null = command.parent;
  return above === null ? command.name() : `${pathOf(above)} ${command.name()}`;
}

function quietProgram(): Command {
  const stream = { write: () => true };
  const stdin = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: '' }) }),
  };
  return createProgram(new Terminal({ stdin, stdout: stream, stderr: stream }));
}
