import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { bareBase64 } from './foreign-hash.js';

/**
 * The parameters of a Firebase project, which all its hashes share: "Password hash parameters" in the console, under
 * Authentication, Users (https://firebase.google.com/docs/cli/auth#password_hash_parameters).
 */
export interface FirebaseHashParameters {
  /** `base64_signer_key`. It is a secret, and part of each hash that is stored. */
  readonly signerKey: string;
  /** `base64_salt_separator`. Defaults to `Bw==`. */
  readonly saltSeparator?: string | undefined;
  /** Defaults to 8. */
  readonly rounds?: number | undefined;
  /** The logarithm of the memory cost. Defaults to 14. */
  readonly memCost?: number | undefined;
}

const MAX_ROUNDS = 8;
const MAX_MEM_COST = 14;
const DEFAULTS = { saltSeparator: 'Bw==', rounds: MAX_ROUNDS, memCost: MAX_MEM_COST } as const;

/**
 * Reads the parameters from the text that the console shows, `hash_config { … }`.
 * @throws AuthError `validation_error` for a text that is not of this form.
 * @example
 * ```ts
 * const text = 'hash_config { algorithm: SCRYPT, base64_signer_key: c2lnbmVyIGtleQ==, rounds: 8, mem_cost: 14 }';
 * parseFirebaseHashConfig(text).memCost; // → 14
 * parseFirebaseHashConfig('algorithm: BCRYPT'); // →! /password hash parameters/
 * ```
 */
export function parseFirebaseHashConfig(text: string): FirebaseHashParameters {
  const valueOf = (name: string): string | undefined =>
    new RegExp(`\\b${name}"?\\s*:\\s*"?([^\\s,"}]+)`, 'i').exec(text)?.[1];
  const algorithm = valueOf('algorithm') ?? 'SCRYPT';
  const signerKey = valueOf('base64_signer_key');
  if (signerKey === undefined || algorithm.toUpperCase() !== 'SCRYPT') {
    throw AuthError.validation(
      'The password hash parameters are not of Firebase. Copy the whole text from the console: Authentication, Users, Password hash parameters.',
    );
  }
  const parameters = {
    signerKey,
    saltSeparator: valueOf('base64_salt_separator'),
    rounds: numberOf(valueOf('rounds')),
    memCost: numberOf(valueOf('mem_cost')),
  };
  firebaseHashPrefix(parameters);
  return parameters;
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/**
 * Returns the part of a stored hash that the parameters decide.
 * @throws AuthError `validation_error` for parameters that no project has.
 */
export function firebaseHashPrefix({ signerKey, ...others }: FirebaseHashParameters): string {
  const {
    saltSeparator = DEFAULTS.saltSeparator,
    rounds = DEFAULTS.rounds,
    memCost = DEFAULTS.memCost,
  } = others;
  const key = bareBase64(signerKey);
  const separator = saltSeparator === '' ? '' : bareBase64(saltSeparator);
  const isSound = isWithin(rounds, MAX_ROUNDS) && isWithin(memCost, MAX_MEM_COST);
  if (key === undefined || separator === undefined || !isSound) {
    throw AuthError.validation(
      `The password hash parameters of Firebase are not valid: the signer key and the salt separator must be base64, rounds 1 to ${MAX_ROUNDS} and mem_cost 1 to ${MAX_MEM_COST}.`,
    );
  }
  return `$firebase-scrypt$m=${memCost},r=${rounds},ss=${separator},sk=${key}`;
}

const isWithin = (number: number, most: number): boolean =>
  Number.isInteger(number) && number >= 1 && number <= most;
