import type { KeySet } from '@latchkey/core/keys';
import type { TokenTools } from '@latchkey/core/settings';
import { CommandError, EXIT } from './failure.js';
import { readTextFile } from './text-file.js';

/** Returns the keys of the service with these settings; in development, the key that it created itself. */
export async function findSettingsKeys(): Promise<{ keys: KeySet; tokens: TokenTools['tokens'] }> {
  const { readTokenSettings } = await import('@latchkey/core/settings');
  const { KeySet } = await import('@latchkey/core/keys');
  const settings = readTokenSettings();
  const { tokens } = settings;
  const signingKeyPem = tokens.signingKeyPem?.reveal() ?? (await readDevelopmentKey(settings)).text;
  return { keys: await KeySet.fromPem(signingKeyPem, tokens.verificationKeysPem?.reveal()), tokens };
}

/** Returns the key that a service without the setting created. @throws CommandError if there is none. */
export async function readDevelopmentKey({
  environment,
  dataDir,
}: Pick<TokenTools, 'environment' | 'dataDir'>): Promise<{ path: string; text: string }> {
  if (environment === 'production') throw noKey('JWT_SIGNING_KEY_PEM is not set.');
  const { developmentKeyFile } = await import('@latchkey/core/keys');
  const path = developmentKeyFile(dataDir);
  try {
    return { path, text: await readTextFile(path) };
  } catch (error) {
    if (!(error instanceof CommandError) || error.exitCode !== EXIT.notFound) throw error;
    throw noKey(`JWT_SIGNING_KEY_PEM is not set, and no service has made ${path} yet.`);
  }
}

const noKey = (reason: string): CommandError =>
  new CommandError(
    EXIT.failed,
    `There is no signing key: ${reason}`,
    'Create one with: latchkey keys generate --out signing-key.pem',
  );
