import { onAction } from './actions.js';
import { fill } from './dom.js';

/** Three mails an hour are sent; an impatient user should not use them up at once. */
const WAIT_SECONDS = 60;

interface ResendOptions {
  /** Requests the mail. @returns whether that succeeded. */
  send: () => Promise<boolean>;
  /** The text after it has been sent. */
  resent: string;
}

/** The button that requests a mail again, which counts down before it can be pressed. */
export class Resend {
  readonly #button: HTMLButtonElement;
  readonly #label: string;
  #endsAt = 0;
  #timer = 0;

  constructor(button: HTMLButtonElement, options: ResendOptions) {
    this.#button = button;
    this.#label = button.textContent;
    onAction(button.dataset.action ?? '', async () => {
      fill('resend-status', '');
      if (!(await options.send())) return;
      fill('resend-status', options.resent);
      this.startCountdown();
    });
  }

  /** Starts the wait again. */
  startCountdown(): void {
    this.#endsAt = Date.now() + WAIT_SECONDS * 1000;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tick(), 1000);
    this.#tick();
  }

  /** A disabled button counts silently: screen readers announce the status alone. */
  #tick(): void {
    const seconds = Math.ceil((this.#endsAt - Date.now()) / 1000);
    this.#button.disabled = seconds > 0;
    this.#button.textContent = seconds > 0 ? `${this.#label} (${clockOf(seconds)})` : this.#label;
    if (seconds <= 0) clearInterval(this.#timer);
  }
}

const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
