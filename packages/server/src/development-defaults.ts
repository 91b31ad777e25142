import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Secret, type Logger, type Settings } from '@latchkey/core';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@latchkey/core/embedded-postgres';
import { developmentKeyFile, generateSigningKey } from '@latchkey/core/keys';

/** Development substitutes for missing settings. */
export interface DevelopmentDefaults {
  /** The database that was started without a `DATABASE_URL`. */
  embedded: EmbeddedPostgres | undefined;
  /** The file of the signing key that was generated without a `JWT_SIGNING_KEY_PEM`. */
  keyFile: string | undefined;
}

export interface DevelopmentOptions {
  /** Deleted when the embedded database ends, for any reason. */
  scrapFolder?: string | undefined;
}

/**
 * Supplies settings that may be missing outside production: a database and a signing key, both kept in
 * `DATA_DIR`. In production the settings are complete, or they were rejected.
 */
export async function completeSettings(
  settings: Settings,
  logger: Logger,
  { scrapFolder }: DevelopmentOptions = {},
): Promise<DevelopmentDefaults & { settings: Settings }> {
  const { dataDir, database, tokens } = settings;
  const keyFile = tokens.signingKeyPem === undefined ? developmentKeyFile(dataDir) : undefined;
  const signingKeyPem =
    keyFile === undefined ? tokens.signingKeyPem : new Secret(await keptSigningKey(keyFile));
  const embedded =
    database.url === undefined ? await startEmbeddedPostgres({ dataDir, logger, scrapFolder }) : undefined;
  return {
    settings: {
      ...settings,
      database: { ...database, url: embedded ? new Secret(embedded.url) : database.url },
      tokens: { ...tokens, signingKeyPem },
    },
    embedded,
    keyFile,
  };
}

/** Returns the key of a data folder, generated at the first start: tokens remain valid after a restart. */
async function keptSigningKey(path: string): Promise<string> {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    mkdirSync(dirname(path), { recursive: true });
    placeOnce(path, await generateSigningKey());
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
