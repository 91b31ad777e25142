import { CommandError, EXIT } from './failure.js';
import type { Terminal } from './terminal.js';

/** One of several things to choose from. */
export interface Choice<T> {
  value: T;
  name: string;
}

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
    throw CommandError.usage(`${missing} is missing.`, 'See --help for how to use this command.');
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
      message: `${message} Type "${word}" to go on:`,
    });
    if (String(text).trim() !== word) throw new CommandError(EXIT.failed, 'Cancelled: nothing was changed.');
  }

  /** A question that may be answered with no. Only where somebody can be asked. */
  async agrees(message: string): Promise<boolean> {
    const { agreed } = await ask({ type: 'confirm', name: 'agreed', message, default: false });
    return agreed === true;
  }

  /** A text that was not given. @param missing how to give it: `<user>`, `--email <address>`. */
  async text(message: string, missing: string): Promise<string> {
    this.assertCanAsk(missing);
    const { text } = await ask({ type: 'input', name: 'text', message, required: true });
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
  async newPassword(): Promise<string | undefined> {
    const first = await this.#unseen('Password (empty: none yet)');
    return first === '' ? undefined : this.#onceMore(first);
  }

  /** The same for a password that must be given. */
  async requiredPassword(): Promise<string> {
    this.assertCanAsk('--password-stdin');
    const first = await this.#unseen('New password');
    if (first === '') throw new CommandError(EXIT.failed, 'No password was given: nothing was changed.');
    return this.#onceMore(first);
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

  async #unseen(message: string): Promise<string> {
    const { text } = await ask({ type: 'password', name: 'text', message });
    return String(text);
  }

  async #onceMore(first: string): Promise<string> {
    if ((await this.#unseen('The same once more')) === first) return first;
    throw new CommandError(EXIT.failed, 'The passwords differ: nothing was changed.');
  }
}

interface Question {
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
