import type { Command } from 'commander';
import { shellWord } from './shell-word.js';

/** A command as it was given, with other values of some options; to be pasted into a shell. */
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

/** The words that name a command: `latchkey users approve`. */
export const pathOf = (command: Command): string[] =>
  command.parent === null ? [command.name()] : [...pathOf(command.parent), command.name()];
