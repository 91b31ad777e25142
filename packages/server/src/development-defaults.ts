import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Secret, SettingsError, type Logger, type Settings } from '@latchkey/core';
import {
  developmentKeyFile,
  factorKeyFile,
  generateEncryptionKey,
  generateSigningKey,
} from '@latchkey/core/keys';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@latchkey/testing/embedded-postgres';

/** Development substitutes for missing settings. */
export interface DevelopmentDefaults {
  /** The database that was started without a `DATABASE_URL`. */
  embedded: EmbeddedPostgres | undefined;
  /** The file of the signing key that was generated without a `JWT_SIGNING_KEY_PEM`. */
  keyFile: string | undefined;
  /** The file of the encryption key that was generated without `ENCRYPTION_KEYS`. */
  factorKeyFile?: string | undefined;
}

export interface DevelopmentOptions {
  /** Deleted when the embedded database ends, for any reason. */
  scrapFolder?: string | undefined;
}

/**
 * Supplies settings that may be missing outside production: a database, a signing key and an encryption key, all
 * kept in `DATA_DIR`. In production the settings are complete, or they were rejected.
 */
export async function completeSettings(
  settings: Settings,
  logger: Logger,
  options: DevelopmentOptions = {},
): Promise<DevelopmentDefaults & { settings: Settings }> {
  try {
    return await completed(settings, logger, options);
  } catch (error) {
    throw folderFault(error, settings) ?? error;
  }
}

/** The codes of the system for a folder that cannot be used. */
const FOLDER_CODES = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
  'ENAMETOOLONG',
]);

function folderFault(error: unknown, { dataDir }: Settings): SettingsError | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !FOLDER_CODES.has(code)) return undefined;
  const fault = {
    name: 'DATA_DIR',
    found: `${dataDir}, which cannot be used (${code})`,
    expected: 'a folder in which this account can write',
    fix: 'set DATA_DIR to such a folder, free some space, or set DATABASE_URL, JWT_SIGNING_KEY_PEM and ENCRYPTION_KEYS',
  };
  return new SettingsError([fault]);
}

async function completed(
  settings: Settings,
  logger: Logger,
  { scrapFolder }: DevelopmentOptions,
): Promise<DevelopmentDefaults & { settings: Settings }> {
  const { dataDir, database, tokens } = settings;
  const keyFile = tokens.signingKeyPem === undefined ? developmentKeyFile(dataDir) : undefined;
  const signingKeyPem =
    keyFile === undefined ? tokens.signingKeyPem : new Secret(await keptKey(keyFile, generateSigningKey));
  const factors = await completeSecondFactor(settings, logger);
  const embedded =
    database.url === undefined ? await startEmbeddedPostgres({ dataDir, logger, scrapFolder }) : undefined;
  return {
    settings: {
      ...settings,
      database: { ...database, url: embedded ? new Secret(embedded.url) : database.url },
      tokens: { ...tokens, signingKeyPem },
      secondFactor: factors.secondFactor,
      encryption: factors.encryption,
    },
    embedded,
    keyFile,
    factorKeyFile: factors.keyFile,
  };
}

/**
 * Supplies an encryption key. Where `SECOND_FACTOR` is not set, no one has asked for it: a folder that cannot be
 * written only turns second factors and webhooks off.
 */
async function completeSecondFactor(
  { secondFactor, webhooks, encryption, dataDir, environment }: Settings,
  logger: Logger,
): Promise<Pick<Settings, 'secondFactor' | 'encryption'> & { keyFile?: string }> {
  const { mode } = secondFactor;
  const isNeeded = mode !== 'off' || webhooks.mode !== 'off';
  if (environment === 'production' || !isNeeded || encryption.keys) return { secondFactor, encryption };
  const keyFile = factorKeyFile(dataDir);
  try {
    const key = Buffer.from(await keptKey(keyFile, generateEncryptionKey), 'base64');
    return { secondFactor, encryption: { keys: new Secret([key]) }, keyFile };
  } catch (error) {
    if (mode === 'staff' || mode === 'all') throw error;
    logger.warn(
      { err: error },
      'Second factors and webhooks are off: no encryption key can be kept in DATA_DIR.',
    );
    return { secondFactor: { mode: 'off' }, encryption };
  }
}

/** Returns the key of a data folder, generated at the first start: tokens and secrets remain valid after a restart. */
async function keptKey(path: string, generate: () => string | Promise<string>): Promise<string> {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    mkdirSync(dirname(path), { recursive: true });
    placeOnce(path, await generate());
    return readFileSync(path, 'utf8');
  }
}

/**
 * Writes a file by a link, which appears completely or not at all, and fails if another process was first;
 * its file is used then.
 */
function placeOnce(path: string, content: string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content, { mode: 0o600 });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary);
  }
}
