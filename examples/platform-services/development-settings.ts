import { existsSync, readFileSync } from 'node:fs';
import { readSettings, Secret, type Settings } from '@latchkey/core';
import { readEmbeddedPostgres } from '@latchkey/core/embedded-postgres';
import { developmentKeyFile } from '@latchkey/core/keys';

/**
 * The settings of the Latchkey that runs beside us. What `npm start` makes up for want of a setting, database and
 * signing key, is taken from its data folder.
 * @throws SettingsError; Error when there is no database or no key to share.
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
