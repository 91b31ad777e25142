import type { Command } from 'commander';
import { shellWord } from './shell-word.js';

/** Returns the command line of a command, with other values of some options, quoted for a shell. */
export function commandLineOf(command: Command, changes: Readonly<Record<string, string>>): string {
  const given = command.options.flatMap((option) => {
    const name = option.attributeName();
    if (name in changes || command.getOptionValueSource(name) !== 'cli') return [];
    return wordsOf(option.long ?? option.flags, command.getOptionValue(name));
  });
  const changed = Object.entries(changes).flatMap(([name, value]) => [`--${name}`, value]);
  const words = [...pathOf(command), ...command.args, ...given, ...changed];
  return words.map(shellWord).join(' ');
}

const wordsOf = (flag: string, value: unknown): string[] =>
  value === true ? [flag] : [flag, ...[value].flat().map(String)];

/** Returns the words that name a command: `latchkey users approve`. */
export const pathOf = (command: Command): string[] =>
  command.parent === null ? [command.name()] : [...pathOf(command.parent), command.name()];
