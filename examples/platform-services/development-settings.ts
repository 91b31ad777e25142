import { existsSync, readFileSync } from 'node:fs';
import { readSettings, Secret, type Settings } from '@latchkey/core';
import { developmentKeyFile } from '@latchkey/core/keys';
import { readEmbeddedPostgres } from '@latchkey/testing/embedded-postgres';

/**
 * Returns the settings of the Latchkey started from the same folder. The database and signing key that
 * `npm start` creates are read from its data folder.
 * @throws SettingsError; Error if there is no database or key to share.
 */
export function developmentSettings(): Settings {
  const settings = readSettings();
  const { dataDir, database, tokens } = settings;
  const keyFile = developmentKeyFile(dataDir);
  const url = database.url ?? secretOf(readEmbeddedPostgres(dataDir)?.url);
  const signingKeyPem =
    tokens.signingKeyPem ?? secretOf(existsSync(keyFile) ? readFileSync(keyFile, 'utf8') : undefined);
  if (url === undefined || signingKeyPem === undefined) {
    throw new Error(
      'Latchkey does not run here: start it in another terminal with npm start, from the same folder.',
    );
  }
  return {
    ...settings,
    database: { ...database, url },
    tokens: { ...tokens, signingKeyPem },
  };
}

const secretOf = (text: string | undefined): Secret | undefined =>
  text === undefined ? undefined : new Secret(text);
