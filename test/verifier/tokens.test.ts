import { describe, expect, it } from 'vitest';
import { judgeToken, KeySet } from '@latchkey/core/keys';
import { VerificationError } from '@latchkey/verifier';
import { signHs256, signRs256, signSpelled, type TokenParts } from '../support/forged-token.js';
import { otherTestKeys, testKeys } from '../support/test-keys.js';
import { accessToken, AUDIENCE, ISSUER, requestWith, tokenParts } from '../support/verifier/access-token.js';
import { closeAfterEach, feedService, verifierOf } from '../support/verifier/verifiers.js';

closeAfterEach();

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

type Forge = (parts: TokenParts, token: string) => string;

const withClaims =
  (claims: Record<string, unknown>): Forge =>
  ({ header, claims: own }) =>
    signRs256({ header, claims: { ...own, ...claims } });
const withHeader =
  (header: Record<string, unknown>): Forge =>
  ({ header: own, claims }) =>
    signRs256({ header: { ...own, ...header }, claims });

const REFUSED: [string, Forge][] = [
  ['for another audience', withClaims({ aud: 'other-service' })],
  ['of another issuer', withClaims({ iss: 'https://elsewhere.example.com' })],
  ['that has expired', withClaims({ exp: seconds(-30) })],
  ['that never expires', withClaims({ exp: undefined })],
  ['that is not valid yet', withClaims({ nbf: seconds(60) })],
  ['that was issued in the future', withClaims({ iat: seconds(60) })],
  ['without a time of issue', withClaims({ iat: undefined })],
  ['without a start', withClaims({ nbf: undefined })],
  ['without a user', withClaims({ sub: undefined })],
  ['without a session', withClaims({ sid: undefined })],
  ['without an id', withClaims({ jti: undefined })],
  ['without a time of sign-in', withClaims({ auth_time: undefined })],
  ['without a role', withClaims({ globalRole: undefined })],
  ['without a version', withClaims({ tokenVersion: undefined })],
  ['whose version is text', withClaims({ tokenVersion: '0' })],
  ['whose session is no UUID', withClaims({ sid: 'one' })],
  ['whose role is no text', withClaims({ globalRole: ['PLATFORM_ADMIN'] })],
  ['whose expiry is a fraction', withClaims({ exp: seconds(60) + 0.5 })],
  ['whose expiry is infinite', ({ header, claims }) => signSpelled({ header, claims }, { exp: '1e400' })],
  ['whose sign-in time is text', withClaims({ auth_time: 'today' })],
  ['with a NUL in a claim', withClaims({ plan: 'gold\0' })],
  ['with half a surrogate pair in a claim', withClaims({ plan: '\ud83c' })],
  ['of another type', withHeader({ typ: 'service+jwt' })],
  ['of no type', withHeader({ typ: undefined })],
  ['that names an unknown key', withHeader({ kid: 'unknown' })],
  ['that names no key', withHeader({ kid: undefined })],
  ['with a critical extension', withHeader({ crit: ['exp'] })],
  ['signed with another key', (parts) => signRs256(parts, otherTestKeys().privateKeyPem)],
  ['with its signature left out', (_parts, token) => `${token.split('.').slice(0, 2).join('.')}.`],
  [
    'that says it needs no signature',
    ({ header, claims }) =>
      `${signHs256({ header: { ...header, alg: 'none' }, claims }, 'x')
        .split('.')
        .slice(0, 2)
        .join('.')}.`,
  ],
  [
    'signed with the public key as a secret',
    ({ header, claims }) =>
      signHs256({ header: { ...header, alg: 'HS256' }, claims }, testKeys().publicKeyPem),
  ],
  ['whose signature has stray bits', (_parts, token) => strayBits(token)],
  ['with a padded signature', (_parts, token) => `${token}==`],
  ['whose actor has no subject', withClaims({ act: { name: 'Grace' } })],
  ['whose actor is a text', withClaims({ act: 'Grace' })],
  ['that is none', () => 'x.y.z'],
];

const ACCEPTED: [string, Forge][] = [
  ['with all claims', (_parts, token) => token],
  ['with several audiences', withClaims({ aud: ['other', AUDIENCE] })],
  ['that expired within the leeway', (parts, token) => withClaims({ exp: seconds(-2) })(parts, token)],
  ['with claims of a host app', withClaims({ plan: 'gold', limits: { seats: [1, 2] } })],
  ['with an actor', withClaims({ act: { sub: 'machine:service:crm', act: { sub: 'x' } } })],
  ['whose methods are no list', withClaims({ amr: 'pwd' })],
  ['with its type spelled in full', withHeader({ typ: 'application/at+jwt' })],
  ['whose user is no UUID', withClaims({ sub: 'ann' })],
];

/** The last character of 256 bytes in base64url has four unused bits. */
function strayBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) ?? '');
  return token.slice(0, -1) + alphabet.charAt(last ^ 1);
}

describe('the claims of a token', () => {
  const verdicts = async (forge: Forge) => {
    const service = await feedService();
    const verifier = await verifierOf(service);
    const parts = await tokenParts();
    const token = forge(parts, signRs256(parts));
    const keys = await KeySet.fromPem(testKeys().privateKeyPem);
    const verdict = await judgeToken(token, keys, { issuer: ISSUER, audience: AUDIENCE });
    const outcome = await verifier.authenticate(requestWith(token)).then(
      () => 'accepted',
      (error: unknown) => (VerificationError.is(error) ? error.code : 'a defect'),
    );
    return { service: verdict.isValid, verifier: outcome };
  };

  it.each(REFUSED)('the verifier and the service refuse a token %s', async (_what, forge) => {
    expect(await verdicts(forge)).toEqual({ service: false, verifier: 'unauthorized' });
  });

  it.each(ACCEPTED)('the verifier and the service accept a token %s', async (_what, forge) => {
    expect(await verdicts(forge)).toEqual({ service: true, verifier: 'accepted' });
  });
});

describe('a verified token', () => {
  it('a verified token gives its caller, with the claims of the host app frozen', async () => {
    const verifier = await verifierOf(await feedService());
    const parts = await tokenParts({ acr: 'aal2', plan: { seats: 3 }, tokenVersion: 7 });
    const caller = await verifier.authenticate(requestWith(signRs256(parts)));
    expect(caller).toMatchObject({
      ...{ userId: parts.claims.sub, sessionId: parts.claims.sid, tokenId: parts.claims.jti },
      ...{ globalRole: 'NONE', tokenVersion: 7, amr: ['pwd'], acr: 'aal2', claims: { plan: { seats: 3 } } },
      ...{ authTime: parts.claims.auth_time, issuedAt: parts.claims.iat, expiresAt: parts.claims.exp },
    });
    expect(Object.keys(caller.claims)).toEqual(['plan']);
    expect(Object.isFrozen(caller.claims.plan)).toBe(true);
  });

  it('a verified token says who acts for the user, frozen, and nothing else of the actor', async () => {
    const verifier = await verifierOf(await feedService());
    const parts = await tokenParts({ act: { sub: 'machine:service:crm', name: 'Grace' } });
    const caller = await verifier.authenticate(requestWith(signRs256(parts)));
    expect(caller.act).toEqual({ sub: 'machine:service:crm' });
    expect(Object.isFrozen(caller.act)).toBe(true);
    const own = await verifier.authenticate(requestWith(await accessToken()));
    expect(own.act).toBeUndefined();
  });

  it('a token is verified once and remembered, up to a limit', async () => {
    const verifier = await verifierOf(await feedService(), { rememberTokens: 2 });
    const first = await accessToken();
    const one = await verifier.authenticate(requestWith(first));
    expect(await verifier.authenticate(requestWith(first))).toBe(one);
    for (let count = 0; count < 3; count++) await verifier.authenticate(requestWith(await accessToken()));
    expect(verifier.status.tokens).toBe(2);
    expect(await verifier.authenticate(requestWith(first))).not.toBe(one);
  });

  it('a remembered token is refused after its expiry', async () => {
    const clock = {
      offset: 0,
      now: () => Date.now() + clock.offset,
      elapsed: () => performance.now() + clock.offset,
    };
    const service = await feedService();
    const verifier = await verifierOf(service, { clock, whenStale: { acceptSeconds: 86_400 } });
    const token = await accessToken();
    await verifier.authenticate(requestWith(token));
    clock.offset = 906_000;
    await expect(verifier.authenticate(requestWith(token))).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('a token that lives longer than revocations are kept is refused', async () => {
    const verifier = await verifierOf(await feedService(), { maxTokenSeconds: 900 });
    await verifier.authenticate(requestWith(await accessToken()));
    const long = await accessToken({ exp: seconds(1_800) });
    await expect(verifier.authenticate(requestWith(long))).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it.each(['', 'Bearer', 'Basic abc', 'Bearer a b', 'Bearer a, Bearer b'])(
    'the header %j has no token',
    async (authorization) => {
      const verifier = await verifierOf(await feedService());
      const request = new Request('http://a.example', { headers: { authorization } });
      await expect(verifier.authenticate(request)).rejects.toMatchObject({
        code: 'unauthorized',
        status: 401,
      });
    },
  );
});
