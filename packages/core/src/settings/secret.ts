import { inspect } from 'node:util';

const SHOWN = '[secret]';

/**
 * A value that cannot be shown by accident: logs, `JSON.stringify`, `util.inspect`, error reporters and templates get
 * `[secret]`. Only `reveal` returns it.
 * @example
 * ```ts
 * const password = new Secret('open sesame');
 * JSON.stringify({ password }); // → '{"password":"[secret]"}'
 * password.reveal(); // → 'open sesame'
 * ```
 */
export class Secret<Value = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  /** Returns the value. Pass it to its consumer, and store it nowhere else. */
  reveal(): Value {
    return this.#value;
  }

  toJSON(): string {
    return SHOWN;
  }

  toString(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
