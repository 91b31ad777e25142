import { InvalidArgumentError, type Command } from 'commander';

export interface CommonHelp {
  /** What `--json` prints. */
  json: string;
  /** What `--quiet` prints. */
  quiet: string;
  /** Whether the audit log says who did it. */
  audited?: boolean;
  /** Whether it asks before it acts. */
  confirms?: boolean;
  /** More to know, in sentences without line breaks. */
  notes?: string;
  examples: [commandLine: string, meaning: string][];
}

/** The options that every command has; to be called after its own, so that those come first in the help. */
export function withCommonOptions(command: Command, help: CommonHelp): Command {
  if (help.confirms === true)
    command.option('-y, --yes', 'do it without asking; needed where nobody can be asked');
  if (help.audited === true) command.option(...AS);
  return command
    .option('--json', `print JSON: ${help.json}`)
    .option('-q, --quiet', help.quiet)
    .option('--verbose', 'print what happens underneath, too')
    .addHelpText('after', ({ command: asked }) => afterText(asked, help));
}

/** Who does it; taken before the command, too. */
export const AS = ['--as <name>', 'your name in the audit log, in place of LATCHKEY_OPERATOR'] as const;

/** `--limit` and `--offset` of a list. */
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

/** Reads the number of an option. */
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

/** A paragraph in lines that fit, as commander breaks its own. */
export const wrapped = (command: Command, text: string): string =>
  command.createHelp().boxWrap(text, command.configureOutput().getOutHelpWidth?.() ?? DEFAULT_WIDTH);

const DEFAULT_WIDTH = 80;
