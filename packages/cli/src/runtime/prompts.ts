import { CommandError, EXIT } from './failure.js';
import type { Terminal } from './terminal.js';
import { wrapProse } from './wrap.js';

/** One of several things to choose from. */
export interface Choice<T> {
  value: T;
  name: string;
}

/** Columns that a prompt needs beside its words: `? … (y/N) yes`. */
const ROOM = 12;

/** Questions to the person at the terminal, on standard error. Where nobody can answer they are usage errors. */
export class Prompts {
  readonly #terminal: Terminal;
  readonly #yes: boolean;

  /** @param yes consent to everything was given on the command line. */
  constructor(terminal: Terminal, yes: boolean) {
    this.#terminal = terminal;
    this.#yes = yes;
  }

  get canAsk(): boolean {
    return this.#terminal.canAsk;
  }

  /** @param missing what to give where nobody can be asked. @throws CommandError there. */
  assertCanAsk(missing: string): void {
    if (this.canAsk) return;
    throw CommandError.usage(`${missing} is missing.`);
  }

  /** Goes on only with consent to what the message says will happen. */
  async confirm(message: string): Promise<void> {
    if (this.#yes) return;
    if (!this.canAsk) {
      throw CommandError.usage(
        'This must be confirmed, and nobody can be asked here.',
        'Add --yes to go ahead.',
      );
    }
    if (!(await this.agrees(message))) throw new CommandError(EXIT.failed, 'Cancelled: nothing was changed.');
  }

  /** The same for what concerns everybody: a word is typed. */
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

  /** A question that may be answered with no. Only where somebody can be asked. */
  async agrees(message: string): Promise<boolean> {
    const question = this.#wrapped(message);
    const { agreed } = await ask({ type: 'confirm', name: 'agreed', message: question, default: false });
    return agreed === true;
  }

  /** A text that was not given. @param missing how to give it: `<user>`, `--email <address>`. */
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

  /** A text that may be left out. */
  async optionalText(message: string): Promise<string | undefined> {
    const { text } = await ask({ type: 'input', name: 'text', message });
    return String(text).trim() || undefined;
  }

  /** One thing of a list. @param missing how to name it: `<user>`, `--role <role>`. */
  async choice<T>(message: string, choices: readonly Choice<T>[], missing: string): Promise<T> {
    this.assertCanAsk(missing);
    const { chosen } = await ask({ type: 'select', name: 'chosen', message, choices });
    return chosen as T;
  }

  /** A new password, unseen and typed twice; undefined when left empty. */
  async newPassword(objection: Objection): Promise<string | undefined> {
    return this.#twice('Password (empty: none yet)', (text) => (text === '' ? undefined : objection(text)));
  }

  /** The same for a password that must be given. */
  async requiredPassword(objection: Objection): Promise<string> {
    this.assertCanAsk('--password-stdin');
    const password = await this.#twice('New password', (text) => (text === '' ? undefined : objection(text)));
    if (password !== undefined) return password;
    throw new CommandError(EXIT.failed, 'No password was given: nothing was changed.');
  }

  /** A password that another program writes: all of standard input, but for one line break at its end. */
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

  /** A secret: all of standard input or, on a terminal, typed unseen. @param missing how to give it otherwise. */
  async secret(message: string, missing: string): Promise<string> {
    if (!this.#terminal.hasKeyboard) return this.#terminal.read();
    this.assertCanAsk(missing);
    return this.#unseen(message);
  }

  /** With room for the mark before a question, and for the answer after it. */
  #wrapped(message: string): string {
    return wrapProse(message, this.#terminal.noteColumns - ROOM);
  }

  async #unseen(message: string, objection?: Objection): Promise<string> {
    const validate = objection && { validate: validating(objection) };
    const { text } = await ask({ type: 'password', name: 'text', message, ...validate });
    return String(text);
  }

  /** Until both are the same, from the start: it may be the first one that is mistyped. Undefined when empty. */
  async #twice(message: string, objection: Objection): Promise<string | undefined> {
    for (;;) {
      const first = await this.#unseen(message, objection);
      if (first === '') return undefined;
      if ((await this.#unseen('The same once more')) === first) return first;
      this.#terminal.note('The passwords differ. Type both again, or press Ctrl-C to change nothing.');
    }
  }
}

/** What is wrong with an answer, so that the question stays; undefined when nothing is. */
export type Objection = (text: string) => string | undefined;

const validating =
  (objection: Objection) =>
  (text: string): string | true =>
    objection(text) ?? true;

interface Question {
  validate?: (text: string) => string | true;
  type: 'confirm' | 'input' | 'password' | 'select';
  name: string;
  message: string;
  default?: boolean;
  required?: boolean;
  choices?: readonly Choice<unknown>[];
}

/** Loaded when something is asked: most runs ask nothing. */
async function ask(question: Question): Promise<Record<string, unknown>> {
  const { createPromptModule } = await import('inquirer');
  const prompt = createPromptModule({ output: process.stderr });
  return prompt<Record<string, unknown>>([question]);
}
