import type { Command } from 'commander';
import type { Logger } from '@latchkey/core';
import { commandLineOf, pathOf } from './command-line.js';
import { CommandError, EXIT } from './failure.js';
import { Output } from './output.js';
import { Progress } from './progress.js';
import { Prompts } from './prompts.js';
import type { Terminal } from './terminal.js';

/** Prints the log of the core as notes: warnings always, everything else with `--verbose`. */
class NotesLogger implements Logger {
  readonly #terminal: Terminal;
  readonly #verbose: boolean;

  constructor(terminal: Terminal, verbose: boolean) {
    this.#terminal = terminal;
    this.#verbose = verbose;
  }

  debug(details: object, message: string): void {
    if (this.#verbose) this.#note('debug', details, message);
  }

  info(details: object, message: string): void {
    if (this.#verbose) this.#note('info', details, message);
  }

  warn(details: object, message: string): void {
    this.#note('warning', details, message);
  }

  error(details: object, message: string): void {
    this.#note('warning', details, message);
  }

  #note(level: string, details: object, message: string): void {
    const more = this.#verbose && Object.keys(details).length > 0 ? ` ${describe(details)}` : '';
    this.#terminal.note(`${this.#terminal.paintNote('yellow', `${level}:`)} ${message}${more}`);
  }
}

const describe = (details: object): string =>
  JSON.stringify(details, (_key, value: unknown) => (value instanceof Error ? value.message : value));

/** Options of every command. */
export interface CommonOptions {
  json?: boolean;
  quiet?: boolean;
  yes?: boolean;
  verbose?: boolean;
  /** The operator's name, in place of the account or the setting. */
  as?: string;
}

/** One run of a command: its arguments, and the means to ask questions and to print results. */
export interface Call<Options = object> {
  args: readonly string[];
  options: Options & CommonOptions;
  output: Output;
  progress: Progress;
  prompts: Prompts;
  logger: Logger;
  /** Returns the same command line with other values of some options. */
  again: (changes: Readonly<Record<string, string>>) => string;
}

/** Returns the function that commander calls for a command, with `this` set to that command. */
export function action<Options extends object>(
  terminal: Terminal,
  work: (call: Call<Options>) => Promise<void>,
) {
  return async function (this: Command): Promise<void> {
    const options = this.optsWithGlobals<Options & CommonOptions>();
    await assertOperatorName(options.as);
    const { json = false, quiet = false, yes = false, verbose = false } = options;
    const call = {
      args: this.args,
      options,
      output: new Output(terminal, { json, quiet }),
      progress: new Progress(terminal, { quiet }),
      prompts: new Prompts(terminal, yes),
      logger: new NotesLogger(terminal, verbose),
      again: (changes: Readonly<Record<string, string>>) => commandLineOf(this, changes),
    };
    try {
      await work(call);
    } catch (error) {
      throw withHelpHint(error, this);
    }
  };
}

/** Adds a hint to the help of the command to usage errors without a hint. */
function withHelpHint(error: unknown, command: Command): unknown {
  if (!(error instanceof CommandError) || error.exitCode !== EXIT.usage || error.hint !== undefined)
    return error;
  return CommandError.usage(error.message, `See: ${pathOf(command).join(' ')} --help`);
}

/** @throws CommandError for a text that is not a name. */
async function assertOperatorName(given: string | undefined): Promise<void> {
  if (given === undefined) return;
  const { isOperatorName, OPERATOR_NAME_RULE } = await import('@latchkey/core/settings');
  if (!isOperatorName(given)) throw CommandError.usage(`--as takes a name: ${OPERATOR_NAME_RULE}.`);
}
