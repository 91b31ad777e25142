import { createRequire } from 'node:module';
import { pointerOf, type FieldFault } from '../kernel/field-fault.js';
import type { Logger } from '../kernel/logger.js';
import { validationError } from '../kernel/validation-error.js';
import { isRepetition, isSequence, plainFormsOf, withoutAdditions } from './guessable-password.js';
import { MAX_PASSWORD_BYTES, normalizedPassword } from './normalized-password.js';

interface PasswordPolicyOptions {
  /** Minimum number of code points after normalization, 8 to 256. */
  readonly minLength: number;
  /**
   * Rejects common passwords, the product name and the local part of the account's email, also if they are doubled or
   * have digits or punctuation around them. Rejects repetitions and sequences.
   */
  readonly blocklist: boolean;
  /** The installation's product name, in addition to `latchkey`. */
  readonly brandName?: string;
  /** Passwords from data breaches, which are rejected. Undefined: no list is configured. */
  readonly breached?: BreachedPasswords | undefined;
  /** Receives a warning for each password that the blocklist would reject, if that is off. Never receives the password. */
  readonly logger?: Logger | undefined;
}

/** A list of passwords that are known from data breaches. */
export interface BreachedPasswords {
  /** Reports whether the password, as typed or normalized, is on the list. Never throws because the list is damaged. */
  includes(password: string): Promise<boolean>;
}

export interface PasswordContext {
  /** Email of the account. */
  email?: string | undefined;
  /** Name of the input field, for messages. Defaults to `password`. */
  field?: string | undefined;
}

/** Lower limit of the configured minimum length. */
export const LEAST_MIN_LENGTH = 8;
export const MAX_CODE_POINTS = 256;
const PRODUCT_NAME = 'latchkey';
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Decides which passwords may be set. Length is counted in code points after NFKC; a password is never trimmed or cut. */
export class PasswordPolicy {
  readonly #options: PasswordPolicyOptions;
  readonly #productNames: ReadonlySet<string>;
  #commonPasswords: ReadonlySet<string> | undefined;

  /** @throws TypeError if `minLength` is out of range. */
  constructor(options: PasswordPolicyOptions) {
    this.#options = options;
    const { minLength, brandName = PRODUCT_NAME } = options;
    if (!Number.isInteger(minLength) || minLength < LEAST_MIN_LENGTH || minLength > MAX_CODE_POINTS) {
      throw new TypeError(`PasswordPolicy: minLength is ${LEAST_MIN_LENGTH} to ${MAX_CODE_POINTS}.`);
    }
    this.#productNames = new Set([PRODUCT_NAME, ...formsOfName(brandName.normalize('NFKC').toLowerCase())]);
  }

  /** Checks a password. @throws AuthError `validation_error` with every reason why it cannot be set. */
  async check(password: string, context: PasswordContext = {}): Promise<void> {
    const faults = await this.#faults(password, context);
    if (faults.length > 0) throw validationError(faults);
    this.#reportToDeveloper(password, context.email);
  }

  /**
   * Returns the faults of the password in an unchecked input, so that they can be reported together with those of other
   * fields.
   * @param field name of the password field.
   */
  async faultsIn(
    input: unknown,
    { field = 'password', email = textIn(input, 'email') }: PasswordContext = {},
  ): Promise<FieldFault[]> {
    const password = textIn(input, field);
    return password === undefined ? [] : this.#faults(password, { field, email });
  }

  async #faults(password: string, { field = 'password', email }: PasswordContext): Promise<FieldFault[]> {
    const pointer = pointerOf([field]);
    const objections = await this.#objections(password, email);
    return objections.map((objection) => ({ pointer, ...objection }));
  }

  /** Looks up only passwords that the other rules allow: no other password can be set anyway. */
  async #objections(password: string, email: string | undefined): Promise<Objection[]> {
    const objections = this.#ruleObjections(password, email);
    const { breached } = this.#options;
    if (objections.length > 0 || !breached) return objections;
    return (await breached.includes(password)) ? [BREACHED] : [];
  }

  #ruleObjections(password: string, email: string | undefined): Objection[] {
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

  /** Warns developers about passwords that production rejects. */
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

/** Returns the name, the name without spaces, and each of its words that has at least 4 characters. */
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

const BREACHED: Objection = {
  reason: 'breached',
  message: 'is known from a data breach; choose another one, which is used nowhere else',
};

function textIn(input: unknown, field: string): string | undefined {
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function localPart(email: string): string {
  const address = email.trim().normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at);
}

interface LanguageCommon {
  dictionary: { 'passwords-common': readonly string[] };
}

/**
 * Returns about 49,000 of the most common passwords, in lower case. Short ones are included because users add digits to
 * them. Loading takes some tens of milliseconds, so it is done on first use and not at start-up.
 */
function loadCommonPasswords(): ReadonlySet<string> {
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as LanguageCommon;
  return new Set(dictionary['passwords-common']);
}
