import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Secret, type Logger, type Settings } from '@latchkey/core';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@latchkey/core/embedded-postgres';
import { developmentKeyFile, generateSigningKey } from '@latchkey/core/keys';

/** What was supplied for want of a setting. */
export interface DevelopmentDefaults {
  /** The database that was started for want of a `DATABASE_URL`. */
  embedded: EmbeddedPostgres | undefined;
  /** Where the signing key was made and kept for want of a `JWT_SIGNING_KEY_PEM`. */
  keyFile: string | undefined;
}

export interface DevelopmentOptions {
  /** Deleted when the embedded database ends, however that comes about. */
  scrapFolder?: string | undefined;
}

/**
 * Fills what may be left out outside production: a database of its own and a signing key, both kept in `DATA_DIR`.
 * In production the settings are complete, or they were refused.
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
