import { pointerOf, type FieldFault } from '../kernel/field-fault.js';
import { validationError } from '../kernel/validation-error.js';
import { loadCommonPasswords } from './common-passwords.js';
import { MAX_PASSWORD_BYTES, normalizedPassword } from './normalized-password.js';

export interface PasswordPolicyOptions {
  /** Fewest code points after normalisation, 8 to 256. */
  minLength: number;
  /** Refuse common passwords, the product's name and the local part of the account's email. */
  blocklist: boolean;
  /** The product's name as people know it, beside its own. */
  brandName?: string;
}

export interface PasswordContext {
  /** Email of the account the password is for. */
  email?: string | undefined;
  /** What the input calls the password, for messages; `password` unless told otherwise. */
  field?: string | undefined;
}

/** Fewest characters that a service may ask for. */
export const LEAST_MIN_LENGTH = 8;
export const MAX_CODE_POINTS = 256;
const PRODUCT_NAME = 'latchkey';
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Which passwords may be set. Length counts code points after NFKC; nothing is trimmed, cut or otherwise changed. */
export class PasswordPolicy {
  readonly #minLength: number;
  readonly #blocklist: boolean;
  readonly #productNames: ReadonlySet<string>;
  #commonPasswords: ReadonlySet<string> | undefined;

  /** @throws TypeError when `minLength` is out of range. */
  constructor({ minLength, blocklist, brandName = PRODUCT_NAME }: PasswordPolicyOptions) {
    if (!Number.isInteger(minLength) || minLength < LEAST_MIN_LENGTH || minLength > MAX_CODE_POINTS) {
      throw new TypeError(`PasswordPolicy: minLength is ${LEAST_MIN_LENGTH} to ${MAX_CODE_POINTS}.`);
    }
    this.#minLength = minLength;
    this.#blocklist = blocklist;
    this.#productNames = new Set([PRODUCT_NAME, brandName.normalize('NFKC').toLowerCase()]);
  }

  /** @throws AuthError `validation_error` that names every reason why the password cannot be set. */
  check(password: string, context: PasswordContext = {}): void {
    const faults = this.#faults(password, context);
    if (faults.length > 0) throw validationError(faults);
  }

  /**
   * Finds what is wrong with the password in an input that was not checked yet, so that it can be reported together with
   * the faults of other fields.
   * @param field that of the password.
   */
  faultsIn(
    input: unknown,
    { field = 'password', email = textIn(input, 'email') }: PasswordContext = {},
  ): FieldFault[] {
    const password = textIn(input, field);
    return password === undefined ? [] : this.#faults(password, { field, email });
  }

  #faults(password: string, { field = 'password', email }: PasswordContext): FieldFault[] {
    const pointer = pointerOf([field]);
    return this.#objections(password, email).map((objection) => ({ pointer, ...objection }));
  }

  #objections(password: string, email: string | undefined): Objection[] {
    if (LONE_SURROGATE.test(password)) {
      return [{ reason: 'characters', message: 'must be valid Unicode text' }];
    }
    if (password.includes('\0')) {
      return [{ reason: 'characters', message: 'must not contain a NUL character' }];
    }
    const normalized = normalizedPassword(password);
    if (normalized === undefined) {
      return [{ reason: 'too_long', message: `must have at most ${MAX_PASSWORD_BYTES} bytes` }];
    }
    return [
      ...this.#lengthObjections(normalized),
      ...this.#blocklistObjections(normalized.toLowerCase(), email),
    ];
  }

  #lengthObjections(normalized: string): Objection[] {
    const codePoints = Array.from(normalized).length;
    if (codePoints < this.#minLength) {
      return [{ reason: 'too_short', message: `must have at least ${this.#minLength} characters` }];
    }
    if (codePoints > MAX_CODE_POINTS) {
      return [{ reason: 'too_long', message: `must have at most ${MAX_CODE_POINTS} characters` }];
    }
    return [];
  }

  #blocklistObjections(folded: string, email: string | undefined): Objection[] {
    if (!this.#blocklist) return [];
    if (this.#productNames.has(folded)) {
      return [{ reason: 'too_common', message: 'must not be the name of this product' }];
    }
    if (email !== undefined && folded === localPart(email)) {
      return [{ reason: 'like_email', message: 'must not be the name in the email address' }];
    }
    this.#commonPasswords ??= loadCommonPasswords();
    return this.#commonPasswords.has(folded)
      ? [{ reason: 'too_common', message: 'is one of the most common passwords' }]
      : [];
  }
}

type Objection = Pick<FieldFault, 'reason' | 'message'>;

function textIn(input: unknown, field: string): string | undefined {
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function localPart(email: string): string {
  const address = email.trim().normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at);
}
