import { AuthError } from '../kernel/auth-error.js';
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

  /** @throws AuthError `validation_error` that says why the password cannot be set. */
  check(password: string, context: PasswordContext = {}): void {
    const reason = this.#objection(password, context.email);
    if (reason) throw AuthError.validation(`${context.field ?? 'password'}: ${reason}`);
  }

  #objection(password: string, email: string | undefined): string | undefined {
    if (LONE_SURROGATE.test(password)) return 'must be valid Unicode text';
    if (password.includes('\0')) return 'must not contain a NUL character';
    const normalized = normalizedPassword(password);
    if (normalized === undefined) return `must have at most ${MAX_PASSWORD_BYTES} bytes`;
    return this.#lengthObjection(normalized) ?? this.#blocklistObjection(normalized.toLowerCase(), email);
  }

  #lengthObjection(normalized: string): string | undefined {
    const codePoints = Array.from(normalized).length;
    if (codePoints < this.#minLength) return `must have at least ${this.#minLength} characters`;
    if (codePoints > MAX_CODE_POINTS) return `must have at most ${MAX_CODE_POINTS} characters`;
    return undefined;
  }

  #blocklistObjection(folded: string, email: string | undefined): string | undefined {
    if (!this.#blocklist) return undefined;
    if (this.#productNames.has(folded)) return 'must not be the name of this product';
    if (email !== undefined && folded === localPart(email))
      return 'must not be the name in the email address';
    this.#commonPasswords ??= loadCommonPasswords(this.#minLength);
    return this.#commonPasswords.has(folded) ? 'is one of the most common passwords' : undefined;
  }
}

function localPart(email: string): string {
  const address = email.trim().normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at);
}
