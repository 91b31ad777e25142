import { onAction } from './actions.js';
import { announce } from './announce.js';
import { countDown } from './count-down.js';

/** A mail takes a while, and the service sends few an hour: an impatient user should not use them up at once. */
const WAIT_SECONDS = 30;

interface ResendOptions {
  /** Requests the mail. @returns the seconds to wait if requests are limited, else undefined. */
  send: () => Promise<number | undefined>;
  /** Returns the label while the button counts. */
  waits: (seconds: number) => string;
}

/** A button that requests a mail again, and counts down before it can be pressed. */
export class Resend {
  readonly #button: HTMLButtonElement;
  readonly #label: string;
  readonly #options: ResendOptions;
  #stopCounting = (): void => undefined;

  constructor(button: HTMLButtonElement, options: ResendOptions) {
    this.#button = button;
    this.#label = button.textContent;
    this.#options = options;
    onAction(button.dataset.action ?? '', async () => this.wait(await options.send()));
  }

  /** Starts the wait again. */
  wait(seconds = WAIT_SECONDS): void {
    this.#stopCounting();
    this.#button.disabled = true;
    this.#stopCounting = countDown(
      seconds,
      (left) => (this.#button.textContent = this.#options.waits(left)),
      () => {
        this.#button.disabled = false;
        this.#button.textContent = this.#label;
        announce(this.#label);
      },
    );
  }
}
