import { Secret, TOTP } from 'otpauth';
import { uuidv7 as newId } from 'uuidv7';
import { ValueCipher } from '../../packages/core/src/encryption/value-cipher.js';
import {
  generateRecoveryCodeKey,
  keyedDigest,
  placeOfRecoveryCodes,
} from '../../packages/core/src/factors/kinds/recovery-code/recovery-code-key.js';
import {
  digestOfRecoveryCode,
  generateRecoveryCodes,
} from '../../packages/core/src/factors/kinds/recovery-code/recovery-code.js';
import { generateTotpSecret } from '../../packages/core/src/factors/kinds/totp/totp-codes.js';
import { placeOfSecret } from '../../packages/core/src/factors/kinds/totp/totp-factor.js';
import { FACTOR_KEY, type Sql } from './service.js';

/** An authenticator app of a user, and their recovery codes. */
export interface EnrolledFactor {
  factorId: string;
  recoveryCodes: string[];
  /** The code of so many time steps from now. */
  code: (steps?: number) => string;
}

/** Writes an authenticator app and recovery codes of a user straight into the database. */
export async function enrolFactor(sql: Sql, userId: string): Promise<EnrolledFactor> {
  const [factorId, secret, recoveryCodes] = [newId(), generateTotpSecret(), generateRecoveryCodes()];
  const cipher = new ValueCipher([Buffer.from(FACTOR_KEY, 'base64')]);
  const encrypted = cipher.encrypt(secret, placeOfSecret(userId, factorId));
  await sql(
    `INSERT INTO totp_factors (id, user_id, name, encrypted_secret, key_id, begun_by, confirmed_at, last_step)
     VALUES ($1, $2, 'Phone', $3, $4, $1, now(), 1)`,
    [factorId, userId, encrypted.bytes, encrypted.keyId],
  );
  const codeKey = generateRecoveryCodeKey();
  const encryptedKey = cipher.encrypt(codeKey, placeOfRecoveryCodes(userId));
  const digests = recoveryCodes.flatMap((code) => digestOfRecoveryCode(code) ?? []);
  await sql(
    `INSERT INTO recovery_codes (id, user_id, code_digest, encrypted_key, key_id)
     SELECT gen_random_uuid(), $1, digest, $3, $4 FROM unnest($2::bytea[]) AS digest`,
    [userId, digests.map((digest) => keyedDigest(codeKey, digest)), encryptedKey.bytes, encryptedKey.keyId],
  );
  const totp = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) });
  const code = (steps = 0): string => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  return { factorId, recoveryCodes, code };
}
