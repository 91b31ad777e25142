import type { Reencrypted } from '../../../encryption/reencryption.js';
import type { EncryptedValue, ValueCipher } from '../../../encryption/value-cipher.js';
import type { Database, Transaction } from '../../../storage/database.js';
import type { UserRepository } from '../../../users/user-repository.js';
import { generateRecoveryCodeKey, keyedDigest, placeOfRecoveryCodes } from './recovery-code-key.js';
import type { RecoveryCodeRepository, StoredRecoveryCode } from './recovery-code-repository.js';

export interface RecoveryCodeReencryptionDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
}

/** Users of one transaction: few enough that their sign-ins do not notice the lock. */
const BATCH = 50;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts the key of every set of recovery codes by the first key, counting sets, and gives a key to digests without one. The rows of the users are
 * locked meanwhile: a code that is being used is not compared with the digest of before.
 */
export async function reencryptRecoveryCodes(
  deps: RecoveryCodeReencryptionDeps,
  cipher: ValueCipher,
  onProgress: (done: number) => void,
): Promise<Reencrypted> {
  const result: Reencrypted = { reencrypted: 0, unreadable: 0 };
  let after = BEFORE_ALL_IDS;
  for (;;) {
    const userIds = await deps.recoveryCodes.usersOfOtherKeys(cipher.keyId, after, BATCH);
    if (userIds.length === 0) return result;
    const { reencrypted, unreadable } = await deps.database.transaction((trx) =>
      reencryptOf(userIds, deps, cipher, trx),
    );
    result.reencrypted += reencrypted;
    result.unreadable += unreadable;
    onProgress(result.reencrypted);
    after = userIds.at(-1) ?? after;
  }
}

async function reencryptOf(
  userIds: readonly string[],
  { users, recoveryCodes }: RecoveryCodeReencryptionDeps,
  cipher: ValueCipher,
  trx: Transaction,
): Promise<Reencrypted> {
  await users.lock(userIds, trx);
  const sets = setsOf(await recoveryCodes.ofOtherKeys(userIds, cipher.keyId, trx));
  const readable = sets.filter(([{ key }]) => !key || cipher.keyIds.includes(key.keyId));
  await recoveryCodes.reencrypt(
    readable.flatMap((codes) => reencrypted(codes, cipher)),
    cipher.keyId,
    trx,
  );
  return { reencrypted: readable.length, unreadable: sets.length - readable.length };
}

type CodesOfSet = readonly [StoredRecoveryCode, ...StoredRecoveryCode[]];

/** Returns the codes by user and key. */
function setsOf(codes: readonly StoredRecoveryCode[]): CodesOfSet[] {
  const sets = new Map<string, [StoredRecoveryCode, ...StoredRecoveryCode[]]>();
  for (const code of codes) {
    const name = `${code.userId} ${code.key?.bytes.toString('base64') ?? ''}`;
    const set = sets.get(name);
    if (set) set.push(code);
    else sets.set(name, [code]);
  }
  return [...sets.values()];
}

function reencrypted(
  codes: CodesOfSet,
  cipher: ValueCipher,
): { id: string; digest: Buffer; key: EncryptedValue }[] {
  const [{ userId, key: old }] = codes;
  const place = placeOfRecoveryCodes(userId);
  const secret = old ? cipher.decrypt(old, place) : generateRecoveryCodeKey();
  const key = cipher.encrypt(secret, place);
  return codes.map(({ id, digest }) => ({ id, digest: old ? digest : keyedDigest(secret, digest), key }));
}
