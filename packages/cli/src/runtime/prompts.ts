import { CommandError, EXIT } from './failure.js';
import type { Terminal } from './terminal.js';
import { wrapProse } from './wrap.js';

/** One of several choices. */
interface Choice<T> {
  value: T;
  name: string;
}

/** The columns that a prompt needs beside its words: `? … (y/N) yes`. */
const PROMPT_COLUMNS = 12;

/** Asks the person at the terminal, on standard error. Without a terminal a question is a usage error. */
export class Prompts {
  readonly #terminal: Terminal;
  readonly #yes: boolean;

  /** @param yes true if `--yes` confirms everything. */
  constructor(terminal: Terminal, yes: boolean) {
    this.#terminal = terminal;
    this.#yes = yes;
  }

  get canAsk(): boolean {
    return this.#terminal.canAsk;
  }

  /** @param missing the argument or option to give instead. @throws CommandError without a terminal. */
  assertCanAsk(missing: string): void {
    if (this.canAsk) return;
    throw CommandError.usage(`${missing} is missing.`);
  }

  /** Asks for confirmation. @throws CommandError if it is refused, or without a terminal and `--yes`. */
  async confirm(message: string): Promise<void> {
    if (this.#yes) return;
    if (!this.canAsk) {
      throw CommandError.usage(
        'This needs confirmation, and there is no terminal to ask.',
        'Add --yes to confirm.',
      );
    }
    if (!(await this.agrees(message))) throw new CommandError(EXIT.failed, 'Cancelled: nothing was changed.');
  }

  /** Asks for confirmation by a typed word, for changes that affect all users. */
  async confirmTyped(message: string, word: string): Promise<void> {
    if (this.#yes || !this.canAsk) {
      await this.confirm(message);
      return;
    }
    const { text } = await ask({
      type: 'input',
      name: 'text',
      message: this.#wrapped(`${message} Type "${word}" to go on:`),
    });
    if (String(text).trim() !== word) throw new CommandError(EXIT.failed, 'Cancelled: nothing was changed.');
  }

  /** Asks a yes-or-no question. Needs a terminal. */
  async agrees(message: string): Promise<boolean> {
    const question = this.#wrapped(message);
    const { agreed } = await ask({ type: 'confirm', name: 'agreed', message: question, default: false });
    return agreed === true;
  }

  /** Asks for a text. @param missing the argument or option to give instead: `<user>`, `--email <address>`. */
  async text(message: string, missing: string, objection?: Objection): Promise<string> {
    this.assertCanAsk(missing);
    const { text } = await ask({
      type: 'input',
      name: 'text',
      message,
      required: true,
      ...(objection && { validate: validating((given) => objection(given.trim())) }),
    });
    return String(text).trim();
  }

  /** Asks for an optional text. */
  async optionalText(message: string): Promise<string | undefined> {
    const { text } = await ask({ type: 'input', name: 'text', message });
    return String(text).trim() || undefined;
  }

  /** Asks for one choice of a list. @param missing the argument or option to give instead: `<user>`, `--role <role>`. */
  async choice<T>(message: string, choices: readonly Choice<T>[], missing: string): Promise<T> {
    this.assertCanAsk(missing);
    const { chosen } = await ask({ type: 'select', name: 'chosen', message, choices });
    return chosen as T;
  }

  /** Asks for a new password, hidden and typed twice. Returns undefined if it is left empty. */
  async newPassword(objection: Objection): Promise<string | undefined> {
    return this.#twice('Password (leave empty for none)', (text) =>
      text === '' ? undefined : objection(text),
    );
  }

  /** Asks for a new password that may not be empty. */
  async requiredPassword(objection: Objection): Promise<string> {
    this.assertCanAsk('--password-stdin');
    const password = await this.#twice('New password', (text) => (text === '' ? undefined : objection(text)));
    if (password !== undefined) return password;
    throw new CommandError(EXIT.failed, 'No password was given: nothing was changed.');
  }

  /** Reads a password from another program: all of standard input except one line break at its end. */
  async pipedPassword(): Promise<string> {
    if (this.#terminal.hasKeyboard) {
      throw CommandError.usage(
        '--password-stdin reads from a pipe or a file, and this is a terminal.',
        'Leave it out to be asked for the password.',
      );
    }
    const password = (await this.#terminal.read()).replace(/\r?\n$/, '');
    if (password === '') throw CommandError.usage('Standard input holds no password.');
    return password;
  }

  /** Reads a secret from standard input or, on a terminal, a hidden prompt. @param missing the other way to give it. */
  async secret(message: string, missing: string): Promise<string> {
    if (!this.#terminal.hasKeyboard) return this.#terminal.read();
    this.assertCanAsk(missing);
    return this.#hidden(message);
  }

  /** Wraps a question, leaving columns for the mark before it and the answer after it. */
  #wrapped(message: string): string {
    return wrapProse(message, this.#terminal.noteColumns - PROMPT_COLUMNS);
  }

  async #hidden(message: string, objection?: Objection): Promise<string> {
    const validate = objection && { validate: validating(objection) };
    const { text } = await ask({ type: 'password', name: 'text', message, ...validate });
    return String(text);
  }

  /** Asks twice until both are the same; the first may be the mistyped one. Returns undefined if it is empty. */
  async #twice(message: string, objection: Objection): Promise<string | undefined> {
    for (;;) {
      const first = await this.#hidden(message, objection);
      if (first === '') return undefined;
      if ((await this.#hidden('Repeat the password')) === first) return first;
      this.#terminal.note('The passwords do not match. Type both again, or press Ctrl-C to cancel.');
    }
  }
}

/** Returns the fault of an answer, and the question is asked again; undefined if there is none. */
export type Objection = (text: string) => string | undefined | Promise<string | undefined>;

const validating =
  (objection: Objection) =>
  async (text: string): Promise<string | true> =>
    (await objection(text)) ?? true;

interface Question {
  validate?: (text: string) => Promise<string | true>;
  type: 'confirm' | 'input' | 'password' | 'select';
  name: string;
  message: string;
  default?: boolean;
  required?: boolean;
  choices?: readonly Choice<unknown>[];
}

/** Loads the library and asks. Most runs ask nothing. */
async function ask(question: Question): Promise<Record<string, unknown>> {
  const { createPromptModule } = await import('inquirer');
  const prompt = createPromptModule({ output: process.stderr });
  return prompt<Record<string, unknown>>([question]);
}
