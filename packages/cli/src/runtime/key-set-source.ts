import type { PublishedKeys } from '@latchkey/core/keys';
import { CommandError, EXIT } from './failure.js';
import { readTextFile } from './text-file.js';

const TIMEOUT_MS = 5000;
const WELL_KNOWN_PATH = '/.well-known/jwks.json';

/** Returns the keys of a file or an address. @throws CommandError if it has no key set. */
export async function loadKeySet(source: string): Promise<PublishedKeys> {
  const text = isAddress(source) ? await fetchText(source) : await readTextFile(source);
  const { PublishedKeys } = await import('@latchkey/core/keys');
  try {
    return PublishedKeys.fromJwks(JSON.parse(text));
  } catch {
    throw new CommandError(EXIT.failed, `${source} holds no key set.`, 'It must be a JWK Set (RFC 7517).');
  }
}

/** Returns the address of the key set of a service. */
export const keySetAddress = (service: string): string => `${service.replace(/\/+$/, '')}${WELL_KNOWN_PATH}`;

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

async function fetchText(address: string): Promise<string> {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: unknown) => {
      throw unreachable(address, networkReason(error));
    },
  );
  if (!response.ok) throw unreachable(address, `it answers ${response.status}`);
  return response.text();
}

/** Returns the reason of a failed `fetch`, which is in the cause of its error. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

const unreachable = (address: string, reason: string): CommandError =>
  new CommandError(EXIT.unreachable, `${address} cannot be read: ${reason}.`);
