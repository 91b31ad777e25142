import { pointerOf, type FieldFault } from '../kernel/field-fault.js';
import type { Logger } from '../kernel/logger.js';
import { validationError } from '../kernel/validation-error.js';
import { loadCommonPasswords } from './common-passwords.js';
import { isRepetition, isSequence, plainFormsOf, withoutAdditions } from './guessable-password.js';
import { MAX_PASSWORD_BYTES, normalizedPassword } from './normalized-password.js';

export interface PasswordPolicyOptions {
  /** Fewest code points after normalisation, 8 to 256. */
  readonly minLength: number;
  /**
   * Refuse common passwords, the product's name and the local part of the account's email, also with digits or
   * punctuation around them or twice, repetitions and sequences.
   */
  readonly blocklist: boolean;
  /** The product's name as people know it, beside its own. */
  readonly brandName?: string;
  /** Where the blocklist is off: hears of passwords that it would refuse, never of what they are. */
  readonly logger?: Logger | undefined;
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
  readonly #options: PasswordPolicyOptions;
  readonly #productNames: ReadonlySet<string>;
  #commonPasswords: ReadonlySet<string> | undefined;

  /** @throws TypeError when `minLength` is out of range. */
  constructor(options: PasswordPolicyOptions) {
    this.#options = options;
    const { minLength, brandName = PRODUCT_NAME } = options;
    if (!Number.isInteger(minLength) || minLength < LEAST_MIN_LENGTH || minLength > MAX_CODE_POINTS) {
      throw new TypeError(`PasswordPolicy: minLength is ${LEAST_MIN_LENGTH} to ${MAX_CODE_POINTS}.`);
    }
    this.#productNames = new Set([PRODUCT_NAME, ...formsOfName(brandName.normalize('NFKC').toLowerCase())]);
  }

  /** @throws AuthError `validation_error` that names every reason why the password cannot be set. */
  check(password: string, context: PasswordContext = {}): void {
    const faults = this.#faults(password, context);
    if (faults.length > 0) throw validationError(faults);
    this.#reportToDeveloper(password, context.email);
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
    const guessable = this.#options.blocklist
      ? this.#whyGuessable(normalized.toLowerCase(), email)
      : undefined;
    return [...this.#lengthObjections(normalized), ...(guessable ? [guessable] : [])];
  }

  #lengthObjections(normalized: string): Objection[] {
    const codePoints = Array.from(normalized).length;
    if (codePoints < this.#options.minLength) {
      return [{ reason: 'too_short', message: `must have at least ${this.#options.minLength} characters` }];
    }
    if (codePoints > MAX_CODE_POINTS) {
      return [{ reason: 'too_long', message: `must have at most ${MAX_CODE_POINTS} characters` }];
    }
    return [];
  }

  /** Production refuses such passwords, so whoever develops against the service should hear of it before. */
  #reportToDeveloper(password: string, email: string | undefined): void {
    if (this.#options.blocklist || !this.#options.logger) return;
    const guessable = this.#whyGuessable(normalizedPassword(password)?.toLowerCase() ?? '', email);
    if (guessable === undefined) return;
    const { message } = guessable;
    this.#options.logger.warn(
      { reason: message },
      `production refuses this password (PASSWORD_BLOCKLIST): it ${message}`,
    );
  }

  #whyGuessable(folded: string, email: string | undefined): Objection | undefined {
    const forms = plainFormsOf(folded);
    if (forms.some((form) => this.#productNames.has(form))) {
      return { reason: 'too_common', message: 'must not be the name of this product' };
    }
    if (email !== undefined && isLocalPart(forms, email)) {
      return { reason: 'like_email', message: 'must not be the name in the email address' };
    }
    const message = this.#whyCommon(folded, forms);
    return message === undefined ? undefined : { reason: 'too_common', message };
  }

  #whyCommon(folded: string, forms: readonly string[]): string | undefined {
    if (isRepetition(folded)) return 'must not be the same characters again and again';
    const common = (this.#commonPasswords ??= loadCommonPasswords());
    if (common.has(folded)) return 'is one of the most common passwords';
    if (isSequence(folded)) return 'must not be a sequence of the alphabet, the digits or a keyboard';
    return forms.some((form) => common.has(form))
      ? 'must not be a common word with digits or punctuation added'
      : undefined;
  }
}

/** The name as it is, without its spaces, and each word of it that is long enough to be told from others. */
const formsOfName = (name: string): string[] => [
  name,
  name.replace(/\s+/g, ''),
  ...name.split(/\s+/).filter((word) => word.length >= 4),
];

function isLocalPart(forms: readonly string[], email: string): boolean {
  const local = localPart(email);
  const plain = withoutAdditions(local);
  return forms.some((form) => form === local || form === plain);
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
