import { readDevelopmentKey } from '../../runtime/settings-keys.js';
import { readTextFile } from '../../runtime/text-file.js';

/** A text that contains keys. */
export interface KeySource {
  /** The name of a setting, or the path of a file. */
  source: string;
  use: 'sign' | 'verify' | null;
  file: string | null;
  text: string;
}

/** Reads the keys of a file. */
export const fileSource = async (file: string): Promise<KeySource> => ({
  source: file,
  use: null,
  file,
  text: await readTextFile(file),
});

/** Reads the keys of the settings, valid or not; in development, the key of the service that runs here. */
export async function settingSources(): Promise<KeySource[]> {
  const { readGivenSettings, readSomeSettings } = await import('@latchkey/core/settings');
  const given = readGivenSettings(['JWT_SIGNING_KEY_PEM', 'JWT_VERIFICATION_KEYS_PEM']);
  const signing = given.get('JWT_SIGNING_KEY_PEM');
  const verification = given.get('JWT_VERIFICATION_KEYS_PEM');
  return [
    signing
      ? { source: 'JWT_SIGNING_KEY_PEM', use: 'sign', ...textOf(signing) }
      : await developmentSource(readSomeSettings(['APP_ENV', 'DATA_DIR'])),
    ...(verification === undefined
      ? []
      : [{ source: 'JWT_VERIFICATION_KEYS_PEM', use: 'verify' as const, ...textOf(verification) }]),
  ];
}

/** Returns the text of a setting, and the file it was read from. */
const textOf = ({
  text,
  origin,
  path = null,
}: {
  text: string;
  origin: string | undefined;
  path?: string | null;
}): Pick<KeySource, 'text' | 'file'> => ({
  text,
  file: origin === 'file' ? path : null,
});

async function developmentSource(settings: {
  APP_ENV: 'development' | 'test' | 'production';
  DATA_DIR: string;
}): Promise<KeySource> {
  const { path, text } = await readDevelopmentKey({
    environment: settings.APP_ENV,
    dataDir: settings.DATA_DIR,
  });
  return { source: 'DATA_DIR', use: 'sign', file: path, text };
}
