import { describe, expect, it } from 'vitest';
import { otherTestKeys, testKeys } from '../support/test-keys.js';
import { accessToken, requestWith } from '../support/verifier/access-token.js';
import { MovedClock } from '../support/verifier/moved-clock.js';
import {
  closeAfterEach,
  codeOf,
  feedService,
  untilState,
  verifierOf,
} from '../support/verifier/verifiers.js';

closeAfterEach();

const KEY_SET = '/.well-known/jwks.json';

describe('the key set', () => {
  it('a new key is fetched when its first token arrives', async () => {
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { clock });
    service.keyPairs = [otherTestKeys(), testKeys()];
    clock.pass(31);
    await codeOf(verifier, await accessToken());
    await untilState(verifier, 'live');
    expect(await codeOf(verifier, await accessToken({}, {}, otherTestKeys()))).toBe('accepted');
    expect(await codeOf(verifier, await accessToken())).toBe('accepted');
    expect(service.count(KEY_SET)).toBe(2);
  });

  it('unknown keys cause one fetch in thirty seconds', async () => {
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { clock });
    const forged = () => accessToken({}, { kid: `unknown-${Math.random()}` }, otherTestKeys());
    for (let count = 0; count < 5; count++)
      expect(await codeOf(verifier, await forged())).toBe('unauthorized');
    expect(service.count(KEY_SET)).toBe(1);
    clock.pass(31);
    const tokens = await Promise.all([forged(), forged(), forged()]);
    await Promise.all(tokens.map((token) => codeOf(verifier, token)));
    expect(service.count(KEY_SET)).toBe(2);
  });

  it('a withdrawn key is refused after the next fetch, with the tokens that are remembered', async () => {
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { clock });
    const token = await accessToken();
    expect(await codeOf(verifier, token)).toBe('accepted');
    service.keyPairs = [otherTestKeys()];
    clock.pass(31);
    await untilState(verifier, 'live');
    expect(await codeOf(verifier, await accessToken({}, {}, otherTestKeys()))).toBe('accepted');
    expect(await codeOf(verifier, token)).toBe('unauthorized');
  });

  it('an unchanged key keeps its remembered tokens', async () => {
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { clock });
    const token = await accessToken();
    const caller = await verifier.authenticate(requestWith(token));
    clock.pass(31);
    await codeOf(verifier, await accessToken({}, { kid: 'unknown' }));
    expect(service.count(KEY_SET)).toBe(2);
    await untilState(verifier, 'live');
    expect(await verifier.authenticate(requestWith(token))).toBe(caller);
  });

  it.each([
    ['a page', '<html>'],
    ['something else', '{"keys": 1}'],
    ['no key', '{"keys": []}'],
    ['a weak key', JSON.stringify({ keys: [{ kid: 'weak', kty: 'RSA', n: 'AQAB', e: 'AQAB' }] })],
  ])('a key set that arrives as %s causes 503 for unknown keys, and known ones stay', async (_what, body) => {
    const service = await feedService();
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { clock, whenStale: { acceptSeconds: 600 } });
    service.keySetBody = body;
    clock.pass(31);
    const unknown = await accessToken({}, {}, otherTestKeys());
    expect(await codeOf(verifier, unknown)).toBe('service_unavailable');
    expect(await codeOf(verifier, await accessToken())).toBe('accepted');

    service.keySetBody = undefined;
    service.keyPairs = [otherTestKeys(), testKeys()];
    clock.pass(1.1);
    expect(await codeOf(verifier, unknown)).toBe('accepted');
  });
});
