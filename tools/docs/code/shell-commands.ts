import { forEachChild, parse, type Command, type SyntaxNode } from 'unbash';

/** One simple command of a shell script. */
export interface ShellCommand {
  /** Counted from 1, within the script. */
  line: number;
  /** `NAME=value` before it. */
  assignments: string[];
  /** The program and its arguments, without quotes; `$NAME` and `$(…)` stay as written. */
  words: string[];
}

/** Returns the commands of a script, those inside `$(…)` included. */
export function shellCommands(script: string, firstLine = 1): ShellCommand[] {
  const found: ShellCommand[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') {
      const line = firstLine + script.slice(0, node.pos).split('\n').length - 1;
      found.push({ line, ...read(node) });
    }
    forEachChild(node, visit);
  };
  visit(parse(script));
  return found;
}

/** Returns what the shell would not understand. */
export const syntaxFault = (script: string): string | undefined => parse(script).errors?.[0]?.message;

function read({ prefix, name, args }: Command): Omit<ShellCommand, 'line'> {
  const given = [...prefix, ...args].flatMap((each) =>
    each.type === 'Assignment'
      ? [`${each.name}=${'value' in each.value ? each.value.value : each.text}`]
      : [],
  );
  const words = args.flatMap((each) => (each.type === 'Word' ? [each.value] : []));
  const program = name === undefined || name.value === 'export' ? [] : [name.value];
  return { assignments: given, words: [...program, ...words] };
}
