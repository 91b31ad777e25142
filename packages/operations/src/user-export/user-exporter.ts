import type { AuditRepository } from '@latchkey/core/internal/audit/audit-repository';
import { ValueCipher, type EncryptedValue } from '@latchkey/core/internal/encryption/value-cipher';
import { placeOfRecoveryCodes } from '@latchkey/core/internal/factors/kinds/recovery-code/recovery-code-key';
import { placeOfSecret } from '@latchkey/core/internal/factors/kinds/totp/totp-factor';
import type { TrustedActor } from '@latchkey/core/internal/kernel/actor';
import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { unknownClient, type ClientInfo } from '@latchkey/core/internal/kernel/client-info';
import type { Database } from '@latchkey/core/internal/storage/database';
import { EXPORT_USERS } from './export-queries.js';

const USERS_AT_ONCE = 500;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Options of an export of users. `withHashes` adds what signs users in: password hashes, digests of recovery codes with their keys,
 * and the secrets of authenticator apps. The latter two need `encryptionKeys`.
 */
export interface ExportOptions {
  withHashes?: boolean | undefined;
  /** Keys of ENCRYPTION_KEYS. */
  encryptionKeys?: readonly Buffer[] | undefined;
}

interface ExportRow {
  id: string;
  line: string;
  recoveryCodes: EncryptedRecoveryCode[] | null;
  totp: EncryptedTotp[] | null;
}

interface EncryptedRecoveryCode {
  /** Missing for a digest without a key. */
  keyId?: string;
  encryptedKey?: string;
}

interface EncryptedTotp {
  id: string;
  keyId: string;
  encryptedSecret: string;
}

/** Exports users in the format that `admin.userImports` reads. */
export class UserExporter {
  readonly #deps;

  constructor(deps: { readonly database: Database; readonly audit: AuditRepository }) {
    this.#deps = deps;
  }

  /**
   * Yields the users as lines of JSON, in slices, in the order of their ids. A user who is created or changed meanwhile may
   * be missing or be there as before. The audit log records the export before the first slice.
   * @throws AuthError `service_unavailable`, also if a secret is to be exported and its key is not given.
   */
  async *lines(
    actor: TrustedActor,
    { withHashes = false, encryptionKeys }: ExportOptions = {},
    client: ClientInfo = unknownClient,
  ): AsyncGenerator<readonly string[]> {
    const details = { withHashes };
    await this.#deps.audit.insert({ event: 'users_exported', outcome: 'success', actor, client, details });
    const cipher = encryptionKeys && new ValueCipher(encryptionKeys);
    let after = BEFORE_ALL_IDS;
    for (;;) {
      const rows = await this.#deps.database.query<ExportRow>(EXPORT_USERS, [
        after,
        USERS_AT_ONCE,
        withHashes,
      ]);
      if (rows.length > 0) yield await Promise.all(rows.map((row) => lineOf(row, cipher)));
      if (rows.length < USERS_AT_ONCE) return;
      after = rows.at(-1)?.id ?? after;
    }
  }
}

async function lineOf(
  { id, line, recoveryCodes, totp }: ExportRow,
  cipher: ValueCipher | undefined,
): Promise<string> {
  if (recoveryCodes === null && totp === null) return line;
  return JSON.stringify({
    ...(JSON.parse(line) as object),
    ...(recoveryCodes && { recoveryCodes: recoveryCodes.map((code) => decryptedCode(id, code, cipher)) }),
    ...(totp && { totp: await decryptedFactors(id, totp, cipher) }),
  });
}

function decryptedCode(
  userId: string,
  { keyId, encryptedKey, ...code }: EncryptedRecoveryCode,
  cipher: ValueCipher | undefined,
): object {
  if (keyId === undefined || encryptedKey === undefined) return code;
  const value = { keyId, bytes: Buffer.from(encryptedKey, 'base64url') };
  const key = given(cipher).decrypt(value, placeOfRecoveryCodes(userId));
  return { ...code, key: key.toString('base64url') };
}

async function decryptedFactors(
  userId: string,
  totp: readonly EncryptedTotp[],
  cipher: ValueCipher | undefined,
): Promise<object[]> {
  const { totpSecretText } = await import('@latchkey/core/internal/factors/kinds/totp/totp-codes');
  return totp.map(({ keyId, encryptedSecret, ...factor }) => {
    const value: EncryptedValue = { keyId, bytes: Buffer.from(encryptedSecret, 'base64url') };
    return {
      ...factor,
      secret: totpSecretText(given(cipher).decrypt(value, placeOfSecret(userId, factor.id))),
    };
  });
}

function given(cipher: ValueCipher | undefined): ValueCipher {
  if (cipher) return cipher;
  throw AuthError.unavailable(
    'The secrets of second factors cannot be exported: ENCRYPTION_KEYS is not set.',
  );
}
