import { AuthError } from '../kernel/auth-error.js';
import { generateSigningKey, type SigningKeyBits } from '../tokens/generate-signing-key.js';
import { readRsaKey } from '../tokens/signing-key.js';
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
 * Replaces the signing key in steps between which services are restarted, so that no good token is refused: the next
 * key is published, then it signs, then the old one goes.
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

  /** @throws AuthError `not_found` without a signing key there, `conflict` when a file holds something else. */
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
   * Makes the next key and has it accepted beside the others. Its private half is there too: a replica that still
   * signs with the old key must recognise refresh tokens that another has already derived from the next one.
   * @throws AuthError `conflict` when there is a next key already.
   */
  async publish(bits: SigningKeyBits = 2048): Promise<RotationStatus> {
    return this.#change(async (keys) => {
      if (keys.some(isNext)) throw AuthError.conflict('The next key is published already.');
      const all = [...keys, await makeKey(bits)];
      // Records first: a published key without one would count as an old one.
      await this.#folder.writeRecords(all);
      await this.#folder.writeVerificationKeys(all);
    });
  }

  /** Notes that every service was restarted after the last step: from now on its times run. */
  async confirmRestart(): Promise<RotationStatus> {
    return this.#change(async (keys) => {
      const now = new Date().toISOString();
      await this.#folder.writeRecords(keys.map((key) => (awaitsRestart(key) ? dated(key, now) : key)));
    });
  }

  /**
   * Lets the next key sign. The old one stays accepted: where it is not among the verification keys, it is put there
   * first.
   * @throws AuthError `conflict` without a next key, or while verifiers may hold a key set without it, unless forced.
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
   * Takes away every old key that nothing needs any more, or with `force` every old key.
   * @throws AuthError `conflict` when there is none.
   */
  async retire({ force }: { force: boolean }): Promise<RotationStatus> {
    return this.#change(async (keys) => {
      const old = keys.filter(({ role }) => role === 'old');
      const going = force ? old : old.filter((key) => isPast(refreshTokensGoneAt(key, this.#lifetimes)));
      if (going.length === 0) throw this.#nothingToRetire(old);
      const staying = keys.filter((key) => !going.includes(key));
      await this.#folder.writeVerificationKeys(staying);
      await this.#folder.writeRecords(staying);
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
  AuthError.conflict('The services have not been restarted since the last step, as far as is noted here.');
