import type { Container } from './container.js';
import { Running } from './running.js';

/** Milliseconds for a command that ends by itself. */
const COMMAND_PATIENCE = 30_000;

/** An image with settings, of which any number of containers may be started. */
export class Image {
  readonly #container: Container;
  readonly #settings: Readonly<Record<string, string>>;

  constructor(container: Container, settings: Readonly<Record<string, string>>) {
    this.#container = container;
    this.#settings = settings;
  }

  start(words: readonly string[], input?: string): Running {
    return new Running(this.#container.start(words, this.#settings), input);
  }

  async run(
    words: readonly string[],
    input?: string,
  ): Promise<{ code: number | NodeJS.Signals; output: string }> {
    const running = this.start(words, input);
    const code = await running.end(COMMAND_PATIENCE);
    return { code, output: running.output };
  }
}
