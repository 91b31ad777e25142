import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { InspectedSetting } from '../../settings/inspect-settings.js';
import type { TokenSettings } from '../../settings/settings.js';
import { readRsaKey, readRsaKeys, type RsaKey } from '../../tokens/signing-key.js';

export interface KeyFact {
  kid: string;
  bits: number;
  /** Whether the private half is there, too. */
  isPrivate: boolean;
}

export interface KeyFacts {
  /** Undefined: made by the service and kept in `DATA_DIR`. */
  signing: KeyFact | undefined;
  /** When the file of the signing key was last written; undefined when it came otherwise. */
  writtenAt: Date | undefined;
  verification: KeyFact[];
}

export async function probeKeys(
  { signingKeyPem, verificationKeysPem }: TokenSettings,
  entries: readonly InspectedSetting[],
): Promise<KeyFacts> {
  return {
    signing: signingKeyPem === undefined ? undefined : factOf(await readRsaKey(signingKeyPem.reveal())),
    writtenAt: await writtenAt(entries.find(({ name }) => name === 'JWT_SIGNING_KEY_PEM')),
    verification: (await readRsaKeys(verificationKeysPem?.reveal() ?? '')).map(factOf),
  };
}

const factOf = ({ kid, publicKey, privateKey }: RsaKey): KeyFact => ({
  kid,
  bits: publicKey.asymmetricKeyDetails?.modulusLength ?? 0,
  isPrivate: privateKey !== undefined,
});

async function writtenAt(entry: InspectedSetting | undefined): Promise<Date | undefined> {
  if (entry?.origin !== 'file' || entry.path === undefined) return undefined;
  return (await stat(resolve(entry.path))).mtime;
}
