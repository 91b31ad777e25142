import { describe, expect, it } from 'vitest';
import { readOptions } from './read-options.js';
import type { VerifierOptions } from './verifier-options.js';

const VALID = {
  issuer: 'https://auth.example.com/',
  audience: 'latchkey',
  credential: { internalApiKey: 'key' },
};

describe('the options of a verifier', () => {
  it('have defaults', () => {
    expect(readOptions(VALID)).toMatchObject({
      ...{ baseUrl: 'https://auth.example.com', startStale: false },
      ...{ whenStale: { acceptSeconds: 30 }, startTimeoutMs: 10_000, maxTokenSeconds: 86_400 },
    });
  });

  it('that are missing or unknown are errors too', () => {
    expect(() => readOptions(undefined as never)).toThrow(
      'createVerifier: the options are missing; pass { issuer',
    );
    expect(() => readOptions({ ...VALID, whenStael: 'refuse' } as never)).toThrow(
      /unknown option whenStael; the options are issuer, .*whenStale/,
    );
  });

  it.each([
    ['https://auth.example.com', ['https://auth.example.com']],
    ['https://auth.example.com/', ['https://auth.example.com/', 'https://auth.example.com']],
    ['HTTPS://Auth.Example.com:443/id/', ['HTTPS://Auth.Example.com:443/id/', 'https://auth.example.com/id']],
    ['latchkey', ['latchkey']],
  ])('accept the issuer %s as it is, and as the service writes an address', (issuer, issuers) => {
    expect(readOptions({ ...VALID, url: 'https://auth.example.com', issuer }).issuer).toEqual(issuers);
  });

  it.each<[Partial<Record<keyof VerifierOptions, unknown>>, RegExp]>([
    [{ issuer: '' }, /issuer is missing/],
    [{ audience: undefined }, /audience is missing/],
    [{ credential: undefined }, /credential is missing/],
    [{ credential: { clientId: 'reports' } }, /clientSecret/],
    [{ url: 'auth.example.com' }, /is no URL/],
    [{ issuer: 'latchkey' }, /is no URL/],
    [{ whenStale: 'accept' }, /whenStale must be/],
    [{ whenStale: { acceptSeconds: -1 } }, /whenStale must be/],
    [{ whenStale: { acceptSeconds: Infinity } }, /whenStale must be/],
    [{ whenStale: { acceptSeconds: 5, x: 1 } }, /whenStale must be/],
    [{ startStale: 'no' }, /startStale must be true or false/],
    [{ maxTokenSeconds: 0 }, /maxTokenSeconds must be/],
    [{ rememberTokens: '10' }, /rememberTokens must be/],
  ])('that are wrong, such as %j, are errors that say what to pass', (wrong, message) => {
    const read = () => readOptions({ ...VALID, ...wrong } as VerifierOptions);
    expect(read).toThrow(TypeError);
    expect(read).toThrow(message);
  });
});
