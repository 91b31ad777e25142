import type { ValueCipher } from '@latchkey/core/internal/encryption/value-cipher';
import {
  generateRecoveryCodeKey,
  keyedDigest,
  placeOfRecoveryCodes,
} from '@latchkey/core/internal/factors/kinds/recovery-code/recovery-code-key';
import { placeOfSecret } from '@latchkey/core/internal/factors/kinds/totp/totp-factor';
import { newId } from '@latchkey/core/internal/kernel/id';
import type { Database, Transaction } from '@latchkey/core/internal/storage/database';
import { INSERT_IDENTITIES, INSERT_PASSKEYS, INSERT_RECOVERY_CODES, INSERT_TOTP } from './import-queries.js';
import type { ImportRecord } from './import-record.js';
import { byteaOf, NOW } from './import-rows.js';

/** Returns the rows of passkeys. */
const passkeyRows = (userId: string, { passkeys }: ImportRecord): (object & { id: string })[] =>
  passkeys.map((passkey) => ({
    id: passkey.id ?? newId(),
    user_id: userId,
    credential_id: passkey.credentialId,
    public_key: byteaOf(Buffer.from(passkey.publicKey, 'base64url')),
    counter: passkey.counter,
    device_type: passkey.deviceType,
    backed_up: passkey.isBackedUp,
    transports: passkey.transports,
    aaguid: passkey.aaguid,
    name: passkey.name,
    created_at: passkey.createdAt ?? NOW,
    last_used_at: passkey.lastUsedAt,
  }));

/** Returns the rows of identities. What their services said of the address proves nothing here. */
const identityRows = (userId: string, { identities }: ImportRecord): (object & { id: string })[] =>
  identities.map((identity) => ({
    id: identity.id ?? newId(),
    user_id: userId,
    connection_id: identity.provider,
    subject: identity.subject,
    email: identity.email,
    created_at: identity.createdAt ?? NOW,
    last_used_at: identity.lastUsedAt,
  }));

/** A user whose row the transaction has just inserted. */
interface CreatedUser {
  readonly id: string;
  readonly record: ImportRecord;
  readonly note: (reason: string) => void;
}

/** Writes the factors, passkeys and accounts at other services of users that an import has created. Existing users keep theirs, and get none. */
export class FactorImporter {
  readonly #database: Database;
  readonly #cipher: ValueCipher | undefined;

  constructor(database: Database, cipher: ValueCipher | undefined) {
    this.#database = database;
    this.#cipher = cipher;
  }

  /** True if secrets of authenticator apps and recovery codes can be stored. */
  get storesSecrets(): boolean {
    return this.#cipher !== undefined;
  }

  async write(users: readonly CreatedUser[], trx: Transaction): Promise<void> {
    await this.#writeTotp(
      users.filter(({ record }) => record.totp.length > 0),
      trx,
    );
    const codes = users.flatMap(({ id, record }) => this.#recoveryCodeRows(id, record));
    if (codes.length > 0) await this.#database.query(INSERT_RECOVERY_CODES, [JSON.stringify(codes)], trx);
    await this.#writeOwned(users, passkeyRows, PASSKEYS, trx);
    await this.#writeOwned(users, identityRows, IDENTITIES, trx);
  }

  async #writeTotp(users: readonly CreatedUser[], trx: Transaction): Promise<void> {
    if (users.length === 0) return;
    const { totpSecretOfText } = await import('@latchkey/core/internal/factors/kinds/totp/totp-codes');
    const rows = users.flatMap(({ id, record }) => this.#totpRows(id, record, totpSecretOfText));
    await this.#database.query(INSERT_TOTP, [JSON.stringify(rows)], trx);
  }

  #totpRows(userId: string, { totp }: ImportRecord, secretOfText: (base32: string) => Buffer): object[] {
    return totp.map((factor) => {
      const id = factor.id ?? newId();
      const secret = this.#cipher?.encrypt(secretOfText(factor.secret), placeOfSecret(userId, id));
      return {
        id,
        user_id: userId,
        name: factor.name,
        encrypted_secret: secret && byteaOf(secret.bytes),
        key_id: secret?.keyId,
        begun_by: id,
        created_at: factor.createdAt ?? NOW,
        confirmed_at: factor.confirmedAt ?? NOW,
        last_step: factor.lastStep ?? 0,
        last_used_at: factor.lastUsedAt,
      };
    });
  }

  /** Digests without a key get one here: a copy of the tables must not be enough to compute them. */
  #recoveryCodeRows(userId: string, { recoveryCodes }: ImportRecord): object[] {
    const cipher = this.#cipher;
    if (!cipher || recoveryCodes.length === 0) return [];
    const encrypted = (secret: Buffer) => ({
      secret,
      value: cipher.encrypt(secret, placeOfRecoveryCodes(userId)),
    });
    const own = encrypted(generateRecoveryCodeKey());
    const names = new Set(recoveryCodes.flatMap(({ key }) => key ?? []));
    const given = new Map([...names].map((key) => [key, encrypted(Buffer.from(key, 'base64url')).value]));
    return recoveryCodes.map((code) => {
      const digest = Buffer.from(code.digest, 'base64url');
      const key = code.key === undefined ? undefined : given.get(code.key);
      const { bytes, keyId } = key ?? own.value;
      return {
        id: code.id ?? newId(),
        user_id: userId,
        code_digest: byteaOf(key ? digest : keyedDigest(own.secret, digest)),
        encrypted_key: byteaOf(bytes),
        key_id: keyId,
        created_at: code.createdAt ?? NOW,
        used_at: code.usedAt,
      };
    });
  }

  /** Writes what one user only can have. What belongs to another user stays theirs, and is noted. */
  async #writeOwned(
    users: readonly CreatedUser[],
    rowsOf: typeof passkeyRows,
    { insert, note }: typeof PASSKEYS,
    trx: Transaction,
  ): Promise<void> {
    const owned = users.flatMap((user) => rowsOf(user.id, user.record).map((row) => ({ user, row })));
    if (owned.length === 0) return;
    const text = JSON.stringify(owned.map(({ row }) => row));
    const rows = await this.#database.query<{ id: string }>(insert, [text], trx);
    const written = new Set(rows.map(({ id }) => id));
    for (const { user, row } of owned) if (!written.has(row.id)) user.note(note);
  }
}

const PASSKEYS = { insert: INSERT_PASSKEYS, note: 'passkeys: one is registered already' };
const IDENTITIES = { insert: INSERT_IDENTITIES, note: 'identities: one belongs to another user already' };
