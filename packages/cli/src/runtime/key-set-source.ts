import type { PublishedKeys } from '@latchkey/core/keys';
import { CommandError, EXIT } from './failure.js';
import { readTextFile } from './text-file.js';

const TIMEOUT_MS = 5000;
const WELL_KNOWN_PATH = '/.well-known/jwks.json';

/** The keys that a file or an address publishes. @throws CommandError when there is no key set. */
export async function loadKeySet(source: string): Promise<PublishedKeys> {
  const text = isAddress(source) ? await fetchText(source) : await readTextFile(source);
  const { PublishedKeys } = await import('@latchkey/core/keys');
  try {
    return PublishedKeys.fromJwks(JSON.parse(text));
  } catch {
    throw new CommandError(EXIT.failed, `${source} holds no key set.`, 'It must be a JWK Set (RFC 7517).');
  }
}

/** Where the service at an address publishes its keys. */
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

/** `fetch` hides the reason in the cause of its error. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

const unreachable = (address: string, reason: string): CommandError =>
  new CommandError(EXIT.unreachable, `${address} cannot be read: ${reason}.`);
