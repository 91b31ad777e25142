import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { AUDIENCE, ISSUER } from '../support/verifier/access-token.js';
import { FEED_KEY } from '../support/verifier/feed-service.js';
import { runScript } from '../support/verifier/run-script.js';
import { closeAfterEach, feedService } from '../support/verifier/verifiers.js';

closeAfterEach();

it('a snapshot of 100,000 entries takes less than 32 MB', async () => {
  const service = await feedService();
  for (let count = 0; count < 50_000; count++) {
    service.revokeSession(randomUUID());
    service.outdateTokens(randomUUID(), count);
  }
  const options = {
    issuer: ISSUER,
    audience: AUDIENCE,
    url: service.url,
    credential: { internalApiKey: FEED_KEY },
  };
  const output = await runScript(new URL('../support/verifier/measure-memory.ts', import.meta.url), {
    nodeOptions: ['--expose-gc'],
    env: { OPTIONS: JSON.stringify(options) },
  });
  const { entries, bytes } = JSON.parse(output) as { entries: number; bytes: number };
  console.log(`100,000 entries: ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  expect(entries).toBe(100_000);
  expect(bytes).toBeLessThan(32_000_000);
});
