import { afterAll, afterEach } from 'vitest';
import { createVerifier, VerificationError, type Verifier, type VerifierOptions } from '@latchkey/verifier';
import { waitUntil } from '../wait-until.js';
import { AUDIENCE, ISSUER, requestWith } from './access-token.js';
import { FEED_KEY, FeedService } from './feed-service.js';

const closing: (() => unknown)[] = [];

/** Closes verifiers and services after each test of the file that calls this. */
export function closeAfterEach(): void {
  afterEach(closeAll);
}

/** The same after the last test, for tests that run at the same time. */
export function closeAfterAll(): void {
  afterAll(closeAll);
}

async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** Starts a service that ends with the test. */
export async function feedService(): Promise<FeedService> {
  const service = await FeedService.start();
  closing.push(() => service.stop().catch(() => undefined));
  return service;
}

/** Creates a verifier of the service that ends with the test. */
export async function verifierOf(
  service: { url: string },
  options: Partial<VerifierOptions> = {},
): Promise<Verifier> {
  const verifier = await createVerifier({
    issuer: ISSUER,
    audience: AUDIENCE,
    url: service.url,
    credential: { internalApiKey: FEED_KEY },
    ...options,
  });
  closing.push(() => verifier.close());
  return verifier;
}

export const untilState = (verifier: Verifier, state: 'live' | 'stale'): Promise<unknown> =>
  waitUntil(() => verifier.status.state === state, { what: `a verifier that is ${state}` });

/** Returns `accepted`, or the code of the refusal. */
export const codeOf = (verifier: Verifier, token: string): Promise<string> =>
  verifier.authenticate(requestWith(token)).then(
    () => 'accepted',
    (error: unknown) => (VerificationError.is(error) ? error.code : String(error)),
  );
