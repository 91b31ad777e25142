/** Ends a request after a time, and with the signal of its caller. */
export class RequestLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    if (caller?.aborted) this.#abort();
    caller?.addEventListener('abort', this.#abort);
    this.restart();
  }

  /** The signal of the request. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if the time was over, rather than the caller's signal aborted. */
  get isOver(): boolean {
    return this.signal.aborted && this.#caller?.aborted !== true;
  }

  /** Grants the time again. */
  restart(): void {
    this.lift();
    const reason = new Error(`no response within ${this.#timeoutMs} ms`);
    this.#timer = setTimeout(() => this.#controller.abort(reason), this.#timeoutMs);
  }

  /** Removes the time limit; the caller's signal still ends the request. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  /** Releases timer and listener, and the connection of a response that was not read completely. */
  end(): void {
    this.lift();
    this.#caller?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
  }

  readonly #abort = (): void => this.#controller.abort(this.#caller?.reason);
}
