import { InvalidArgumentError, type Command } from 'commander';

export interface CommonHelp {
  /** Describes the output of `--json`. */
  json: string;
  /** Describes the output of `--quiet`. */
  quiet: string;
  /** True if the command writes to the audit log. */
  audited?: boolean;
  /** True if the command asks for confirmation. */
  confirms?: boolean;
  /** Further sentences of the help, without line breaks. */
  notes?: string;
  examples: [commandLine: string, meaning: string][];
}

/** Adds the options that every command has. Call it last, so that a command's own options come first in the help. */
export function withCommonOptions(command: Command, help: CommonHelp): Command {
  if (help.confirms === true)
    command.option('-y, --yes', 'do not ask for confirmation; required without a terminal');
  if (help.audited === true) command.option(...AS);
  return command
    .option('--json', `print JSON: ${help.json}`)
    .option('-q, --quiet', help.quiet)
    .option('--verbose', 'also print details and debug messages')
    .addHelpText('after', ({ command: asked }) => afterText(asked, help));
}

/** The option that names the operator; it may also come before the command. */
export const AS = ['--as <name>', 'your name in the audit log, overrides LATCHKEY_OPERATOR'] as const;

/** Adds `--limit` and `--offset` of a list. */
export function withPageOptions(command: Command): Command {
  return command
    .option('--limit <n>', `how many to show, at most ${MAX_LIMIT}`, wholeNumber(1, MAX_LIMIT), 50)
    .option('--offset <n>', 'how many to skip', wholeNumber(0, 2 ** 31 - 1), 0);
}

export interface PageOptions {
  limit: number;
  offset: number;
}

const MAX_LIMIT = 1000;

/** Returns a parser of an option that is a whole number. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

function afterText(command: Command, { notes, examples }: CommonHelp): string {
  const lines = examples.flatMap(([commandLine, meaning]) => [`  # ${meaning}`, `  ${commandLine}`]);
  return `${notes === undefined ? '' : `\n${wrapped(command, notes)}\n`}\nExamples:\n${lines.join('\n')}`;
}

/** Wraps a paragraph to the width of the help, as commander wraps its own. */
export const wrapped = (command: Command, text: string): string =>
  command.createHelp().boxWrap(text, command.configureOutput().getOutHelpWidth?.() ?? DEFAULT_WIDTH);

const DEFAULT_WIDTH = 80;
