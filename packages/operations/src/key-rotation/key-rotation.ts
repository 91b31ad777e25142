import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { generateSigningKey, type SigningKeyBits } from '@latchkey/core/internal/tokens/generate-signing-key';
import { readRsaKey } from '@latchkey/core/internal/tokens/signing-key';
import { awaitsRestart, type RotatingKey } from './rotating-key.js';
import { RotationFolder } from './rotation-folder.js';
import { nextStep, viewOf, type RotationStatus } from './rotation-status.js';
import {
  knownEverywhereAt,
  refreshTokensGoneAt,
  tokensGoneAt,
  type RotationLifetimes,
} from './rotation-times.js';

/**
 * Replaces the signing key in steps without rejecting a valid token: the next key is published, then it signs, then the old
 * one is removed. Services are restarted between the steps.
 * @example
 * ```ts
 * import { mkdtemp, rm } from 'node:fs/promises';
 * const folder = await mkdtemp('/tmp/keys-');
 * await replaceSecretFile(developmentKeyFile(folder), await generateSigningKey());
 * const lifetimes = { accessTokenTtl: 900, serviceTokenTtl: 600, sessionMaxLifetime: 2_592_000, hasPepper: true };
 * const { next } = await new KeyRotation(folder, lifetimes).publish();
 * next.step; // → 'restart'
 * await rm(folder, { recursive: true });
 * ```
 */
export class KeyRotation {
  readonly #folder: RotationFolder;
  readonly #lifetimes: RotationLifetimes;

  constructor(folder: string, lifetimes: RotationLifetimes) {
    this.#folder = new RotationFolder(folder);
    this.#lifetimes = lifetimes;
  }

  get folder(): string {
    return this.#folder.path;
  }

  /** Returns the status. @throws AuthError `not_found` without a signing key, `conflict` for an invalid file. */
  async status(): Promise<RotationStatus> {
    const keys = await this.#folder.read();
    const views = keys.map((key) => viewOf(key, this.#lifetimes));
    const { path, signingFile, verificationFile } = this.#folder;
    return {
      folder: path,
      settings: {
        JWT_SIGNING_KEY_PEM_FILE: signingFile,
        JWT_VERIFICATION_KEYS_PEM_FILE: (await this.#folder.hasVerificationFile()) ? verificationFile : null,
      },
      keys: views,
      next: nextStep(keys, views),
      lifetimes: this.#lifetimes,
    };
  }

  /**
   * Generates the next key and adds it to the accepted keys, with its private half: a replica that still signs with the
   * old key must recognize refresh tokens that another replica has already derived from the next one.
   * @throws AuthError `conflict` if there is already a next key.
   */
  async publish(bits: SigningKeyBits = 2048): Promise<RotationStatus> {
    return this.#change(async (keys) => {
      if (keys.some(isNext)) throw AuthError.conflict('The next key is already published.');
      const all = [...keys, await makeKey(bits)];
      // Records first: a published key without a record would be treated as an old key.
      await this.#folder.writeRecords(all);
      await this.#folder.writeVerificationKeys(all);
    });
  }

  /** Records that every service was restarted after the last step. The waiting times of that step start now. */
  async confirmRestart(): Promise<RotationStatus> {
    return this.#change(async (keys) => {
      const now = new Date().toISOString();
      await this.#folder.writeRecords(keys.map((key) => (awaitsRestart(key) ? dated(key, now) : key)));
    });
  }

  /**
   * Makes the next key the signing key. The old one remains accepted: it is first added to the verification keys if it is
   * missing there.
   * @throws AuthError `conflict` without a next key, or while verifiers may cache a key set without it, unless forced.
   */
  async promote({ force }: { force: boolean }): Promise<RotationStatus> {
    return this.#change(async (keys) => {
      const next = keys.find(isNext);
      if (!next?.isPrivate) throw AuthError.conflict('There is no next key: publish one first.');
      if (!force) assertKnownEverywhere(next);
      await this.#folder.keepSigningKey(keys);
      await this.#folder.writeSigningKey(next);
      const signing: RotatingKey = {
        ...next,
        role: 'signing',
        record: { ...next.record, signsSince: new Date().toISOString() },
      };
      await this.#folder.writeRecords(keys.map((key) => (key === next ? signing : key)));
    });
  }

  /**
   * Removes every old key that is no longer needed, or every old key with `force`.
   * @throws AuthError `conflict` if there is none to remove.
   */
  async retire({ force }: { force: boolean }): Promise<RotationStatus> {
    return this.#change(async (keys) => {
      const old = keys.filter(({ role }) => role === 'old');
      const retired = force ? old : old.filter((key) => isPast(refreshTokensGoneAt(key, this.#lifetimes)));
      if (retired.length === 0) throw this.#nothingToRetire(old);
      const remaining = keys.filter((key) => !retired.includes(key));
      await this.#folder.writeVerificationKeys(remaining);
      await this.#folder.writeRecords(remaining);
    });
  }

  async #change(work: (keys: RotatingKey[]) => Promise<void>): Promise<RotationStatus> {
    return this.#folder.exclusively(async () => {
      await work(await this.#folder.read());
      return this.status();
    });
  }

  #nothingToRetire([first]: readonly RotatingKey[]): AuthError {
    if (!first) return AuthError.conflict('There is no old key.');
    const tokensGone = tokensGoneAt(first, this.#lifetimes);
    const allGone = refreshTokensGoneAt(first, this.#lifetimes);
    if (tokensGone === undefined || allGone === undefined) return notRestarted();
    if (allGone <= tokensGone) {
      return AuthError.conflict(`Tokens signed by the old key are valid until ${tokensGone.toISOString()}.`);
    }
    return AuthError.conflict(
      `Sessions from the time of the old key last until ${allGone.toISOString()}, and their refresh tokens are ` +
        'derived from it.',
    );
  }
}

const isNext = ({ role }: RotatingKey): boolean => role === 'next';

const isPast = (time: Date | undefined): boolean => time !== undefined && time.getTime() <= Date.now();

async function makeKey(bits: SigningKeyBits): Promise<RotatingKey> {
  const pem = await generateSigningKey(bits);
  const { kid } = await readRsaKey(pem);
  return { kid, bits, role: 'next', isPrivate: true, pem, record: { madeAt: new Date().toISOString() } };
}

function dated(key: RotatingKey, now: string): RotatingKey {
  const time = key.role === 'next' ? { publishedSince: now } : { unusedSince: now };
  return { ...key, record: { ...key.record, ...time } };
}

function assertKnownEverywhere(next: RotatingKey): void {
  const known = knownEverywhereAt(next);
  if (known === undefined) throw notRestarted();
  if (isPast(known)) return;
  throw AuthError.conflict(`Verifiers may hold a key set without the next key until ${known.toISOString()}.`);
}

const notRestarted = (): AuthError =>
  AuthError.conflict('The services have not been restarted since the last step, according to rotation.json.');
