import { inspect } from 'node:util';

const SHOWN = '[secret]';

/**
 * A value that is not shown by accident: logs, `JSON.stringify`, `util.inspect`, error reporters and templates get
 * `[secret]`. `reveal` is the only way to it.
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

  /** Returns the value itself. Pass it on to what needs it, and keep it nowhere else. */
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
