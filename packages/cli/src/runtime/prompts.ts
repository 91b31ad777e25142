import { CommandError, EXIT } from './failure.js';
import type { Terminal } from './terminal.js';

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

  /** Goes on only with consent to what the message says will happen. */
  async confirm(message: string): Promise<void> {
    if (this.#yes) return;
    if (!this.canAsk) {
      throw CommandError.usage(
        'This must be confirmed, and nobody can be asked here.',
        'Add --yes to go ahead.',
      );
    }
    const { agreed } = await ask({ type: 'confirm', name: 'agreed', message, default: false });
    if (agreed !== true) throw new CommandError(EXIT.failed, 'Cancelled: nothing was changed.');
  }

  /** A text that was not given. @param missing how to give it: `<user>`, `--email <address>`. */
  async text(message: string, missing: string): Promise<string> {
    if (!this.canAsk)
      throw CommandError.usage(`${missing} is missing.`, 'See --help for how to use this command.');
    const { text } = await ask({ type: 'input', name: 'text', message, required: true });
    return String(text).trim();
  }

  /** A text that may be left out. */
  async optionalText(message: string): Promise<string | undefined> {
    const { text } = await ask({ type: 'input', name: 'text', message });
    return String(text).trim() || undefined;
  }

  /** A new password, unseen and typed twice; undefined when left empty. */
  async newPassword(): Promise<string | undefined> {
    const { first } = await ask({ type: 'password', name: 'first', message: 'Password (empty: none yet)' });
    if (first === '') return undefined;
    const { second } = await ask({ type: 'password', name: 'second', message: 'The same once more' });
    if (first !== second) throw new CommandError(EXIT.failed, 'The passwords differ: nothing was changed.');
    return String(first);
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
}

interface Question {
  type: 'confirm' | 'input' | 'password';
  name: string;
  message: string;
  default?: boolean;
  required?: boolean;
}

/** Loaded when something is asked: most runs ask nothing. */
async function ask(question: Question): Promise<Record<string, unknown>> {
  const { createPromptModule } = await import('inquirer');
  const prompt = createPromptModule({ output: process.stderr });
  return prompt<Record<string, unknown>>([question]);
}
