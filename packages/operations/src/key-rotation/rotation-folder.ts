import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { withFileLock } from '@latchkey/core/internal/files/file-lock';
import { removeUnfinished, replaceSecretFile } from '@latchkey/core/internal/files/secret-file';
import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { pemBlocks, pemOf, readKeyBlock } from '@latchkey/core/internal/kernel/key-pem';
import { readRsaKey } from '@latchkey/core/internal/tokens/signing-key';
import type { KeyRecord, KeyRole, RotatingKey } from './rotating-key.js';

/**
 * Returns the role of a key that is not the signing key: `next` if it was generated here and never signed. A key without a
 * record is `old`, because keeping it until its time has passed is safe.
 */
const roleOfOther = ({ madeAt, signsSince }: KeyRecord): KeyRole =>
  madeAt !== undefined && signsSince === undefined ? 'next' : 'old';

const SIGNING_KEY = 'signing-key.pem';
const VERIFICATION_KEYS = 'verification-keys.pem';
const RECORDS = 'rotation.json';
const LOCK = 'rotation.lock';

const time = z.iso.datetime().optional();
const recordsSchema = z.object({
  keys: z.record(
    z.string(),
    z.object({ madeAt: time, publishedSince: time, signsSince: time, unusedSince: time }),
  ),
});

/**
 * The files of a rotation. The two files that services read are the only ones that determine which key signs and which are
 * accepted. The third file contains only times. So each step takes effect by renaming one file, and a run that is killed
 * has either completed its step or not started it.
 */
export class RotationFolder {
  readonly path: string;
  readonly signingFile: string;
  readonly verificationFile: string;
  readonly #recordFile: string;

  constructor(path: string) {
    this.path = resolve(path);
    this.signingFile = join(this.path, SIGNING_KEY);
    this.verificationFile = join(this.path, VERIFICATION_KEYS);
    this.#recordFile = join(this.path, RECORDS);
  }

  /**
   * Returns every key, the signing key first.
   * @throws AuthError `not_found` without a signing key, `conflict` for an invalid file.
   */
  async read(): Promise<RotatingKey[]> {
    const records = await this.#readRecords();
    const signing = await this.#readSigningKey(records);
    const accepted = await this.#readVerificationKeys();
    const others = accepted.filter(({ kid }) => kid !== signing.kid);
    return [signing, ...others.map((key) => withRecord(key, records[key.kid] ?? {}))];
  }

  async hasVerificationFile(): Promise<boolean> {
    return (await readIfExists(this.verificationFile)) !== undefined;
  }

  /** Writes the records of these keys and drops all others. */
  async writeRecords(keys: readonly RotatingKey[]): Promise<void> {
    const records = { keys: Object.fromEntries(keys.map(({ kid, record }) => [kid, record])) };
    await this.#write(this.#recordFile, `${JSON.stringify(records, null, 2)}\n`);
  }

  /** Writes the verification keys. They include the signing key, so it is accepted before and after the other file changes. */
  async writeVerificationKeys(keys: readonly RotatingKey[]): Promise<void> {
    await this.#write(this.verificationFile, keys.map(({ pem }) => pem).join(''));
  }

  /**
   * Prepares the folder for a new signing key. The signing key's file may be the only one that contains it or its private
   * half. If an operator restored a key that had been replaced before, its earlier times must not be used.
   */
  async keepSigningKey(keys: readonly RotatingKey[]): Promise<void> {
    const kept = await this.#readVerificationKeys();
    const isKept = ({ kid }: RotatingKey) => kept.some((key) => key.kid === kid && key.isPrivate);
    const signing = keys.filter(({ role }) => role === 'signing');
    if (!signing.every(isKept)) await this.writeVerificationKeys(keys);
    await this.writeRecords(keys);
  }

  async writeSigningKey({ pem }: RotatingKey): Promise<void> {
    await this.#write(this.signingFile, pem);
  }

  /** Runs `work` under the lock of the folder. @throws AuthError `conflict` while another process holds it. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (!(await exists(this.path))) throw new AuthError('not_found', `There is no folder ${this.path}.`);
    return withFileLock(join(this.path, LOCK), async () => {
      await Promise.all([this.signingFile, this.verificationFile, this.#recordFile].map(removeUnfinished));
      return work();
    });
  }

  async #readSigningKey(records: Record<string, KeyRecord>): Promise<RotatingKey> {
    const path = this.signingFile;
    const text = await readIfExists(path);
    if (text === undefined) throw new AuthError('not_found', `There is no ${path}.`);
    const [key, ...more] = await readKeys(path, text);
    if (!key?.isPrivate || more.length > 0) {
      throw AuthError.conflict(`${path} must contain one private key and nothing else.`);
    }
    const { mtime } = await stat(path);
    const record = { signsSince: mtime.toISOString(), ...records[key.kid], unusedSince: undefined };
    return { ...key, role: 'signing', record };
  }

  async #readVerificationKeys(): Promise<ReadKey[]> {
    return readKeys(this.verificationFile, (await readIfExists(this.verificationFile)) ?? '');
  }

  async #readRecords(): Promise<Record<string, KeyRecord>> {
    const text = await readIfExists(this.#recordFile);
    if (text === undefined) return {};
    try {
      return recordsSchema.parse(JSON.parse(text)).keys;
    } catch {
      throw AuthError.conflict(
        `${this.#recordFile} is damaged. Remove it: all keys except the signing key are then treated as old.`,
      );
    }
  }

  /** Writes a file with the owner and group of the signing key, so that the same accounts can read it. */
  #write(path: string, text: string): Promise<void> {
    return replaceSecretFile(path, text, this.signingFile);
  }
}

const withRecord = (key: ReadKey, record: KeyRecord): RotatingKey => ({
  ...key,
  role: roleOfOther(record),
  record,
});

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** A key read from a file, which contains neither role nor record. */
type ReadKey = Omit<RotatingKey, 'role' | 'record'>;

/** Returns every key of a PEM text once. @throws AuthError `conflict` for a key that the service would reject. */
async function readKeys(path: string, text: string): Promise<ReadKey[]> {
  const keys = await Promise.all(pemBlocks(text).map((block) => readOne(path, block)));
  // A key may occur with and without its private half. The private half takes precedence.
  const byId = new Map([...keys.filter(isPublic), ...keys.filter(isPrivate)].map((key) => [key.kid, key]));
  return [...byId.values()];
}

const isPrivate = (key: ReadKey): boolean => key.isPrivate;
const isPublic = (key: ReadKey): boolean => !key.isPrivate;

async function readOne(path: string, block: string): Promise<ReadKey> {
  const { half, key, faults } = readKeyBlock(block);
  if (key === undefined || faults.length > 0) {
    throw AuthError.conflict(`${path} contains ${faults.join(', ')}.`);
  }
  const { kid } = await readRsaKey(pemOf(key));
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return { kid, bits, isPrivate: half === 'private', pem: pemOf(key) };
}

/** Returns the text of a file, or undefined if it does not exist. */
async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
