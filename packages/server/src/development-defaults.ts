import { generateKeyPair } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger, Settings } from '@latchkey/core';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embedded-postgres.js';

const KEY_FILE = 'signing-key.pem';
const KEY_BITS = 2048;

/** What was supplied for want of a setting. */
export interface DevelopmentDefaults {
  /** The database that was started for want of a `DATABASE_URL`. */
  embedded: EmbeddedPostgres | undefined;
  /** Where the signing key was made and kept for want of a `JWT_SIGNING_KEY_PEM`. */
  keyFile: string | undefined;
}

/**
 * Fills what may be left out outside production: a database of its own and a signing key, both kept in `DATA_DIR`.
 * In production the settings are complete, or they were refused.
 */
export async function completeSettings(
  settings: Settings,
  logger: Logger,
): Promise<DevelopmentDefaults & { settings: Settings }> {
  const { dataDir, database, tokens } = settings;
  const keyFile = tokens.signingKeyPem === undefined ? join(dataDir, KEY_FILE) : undefined;
  const signingKeyPem = keyFile === undefined ? tokens.signingKeyPem : await keptSigningKey(keyFile);
  const embedded = database.url === undefined ? await startEmbeddedPostgres({ dataDir, logger }) : undefined;
  return {
    settings: {
      ...settings,
      database: { ...database, url: database.url ?? embedded?.url },
      tokens: { ...tokens, signingKeyPem },
    },
    embedded,
    keyFile,
  };
}

/** The key of a data folder, made at the first start: tokens outlive a restart. */
async function keptSigningKey(path: string): Promise<string> {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    mkdirSync(dirname(path), { recursive: true });
    placeOnce(path, await generateSigningKey());
    return readFileSync(path, 'utf8');
  }
}

async function generateSigningKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** A link appears whole or not at all, and fails when another process was first; then that one's file counts. */
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
