import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { VerifierLogger } from '@latchkey/verifier';
import { signRs256 } from '../support/forged-token.js';
import { otherTestKeys } from '../support/test-keys.js';
import { accessToken, ISSUER, requestWith, tokenParts } from '../support/verifier/access-token.js';
import { closeAfterEach, codeOf, feedService, verifierOf } from '../support/verifier/verifiers.js';

closeAfterEach();

/** A logger that keeps its warnings about options. */
function watchedLogger(): { logger: VerifierLogger; warnings: [object, string][] } {
  const warnings: [object, string][] = [];
  const warn = (details: object, message: string): void => {
    if ('option' in details) warnings.push([details, message]);
  };
  return { logger: { info: () => undefined, warn }, warnings };
}

describe('a verifier whose options do not fit the service', () => {
  it.each([
    { option: 'audience', wrong: { audience: 'reports' }, found: 'latchkey' },
    { option: 'issuer', wrong: { issuer: 'https://other.example.com' }, found: ISSUER },
  ])('warns once of a wrong $option', async ({ option, wrong, found }) => {
    const { logger, warnings } = watchedLogger();
    const verifier = await verifierOf(await feedService(), { ...wrong, logger });
    for (let count = 0; count < 3; count += 1)
      expect(await codeOf(verifier, await accessToken())).toBe('unauthorized');
    expect(warnings).toEqual([
      [expect.objectContaining({ option, found }), expect.stringContaining(`Correct the option ${option}`)],
    ]);
  });

  it('warns once on the console without a logger, and of nothing else', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    onTestFinished(() => warn.mockRestore());
    const verifier = await verifierOf(await feedService(), { audience: 'reports' });
    for (let count = 0; count < 3; count += 1)
      expect(await codeOf(verifier, await accessToken())).toBe('unauthorized');
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining('Correct the option audience of createVerifier'),
        { option: 'audience', expected: 'reports', found: 'latchkey' },
      ],
    ]);
  });

  it('does not warn of tokens that the service has not signed', async () => {
    const { logger, warnings } = watchedLogger();
    const verifier = await verifierOf(await feedService(), { logger });
    const { header, claims } = await tokenParts();
    const forged = signRs256({ header, claims: { ...claims, aud: 'other' } }, otherTestKeys().privateKeyPem);
    expect(await codeOf(verifier, forged)).toBe('unauthorized');
    expect(warnings).toEqual([]);
  });

  it.each([`${ISSUER}/`, 'https://AUTH.example.com', 'https://auth.example.com:443/'])(
    'accepts tokens if the issuer is written as %s',
    async (issuer) => {
      const verifier = await verifierOf(await feedService(), { issuer });
      expect(await codeOf(verifier, await accessToken())).toBe('accepted');
    },
  );

  it('says that a request of Node.js is none of the Fetch API', async () => {
    const verifier = await verifierOf(await feedService());
    const request = { headers: requestWith('x').headers.entries() } as unknown as IncomingMessage;
    await expect(verifier.authenticate(request as never)).rejects.toThrow(/takes a Request of the Fetch API/);
  });
});
