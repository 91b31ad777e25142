import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verifier } from '@latchkey/verifier';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { takeApart } from '../support/forged-token.js';
import { Replicas, type Tokens } from '../support/replicas.js';
import { INTERNAL_KEY } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import type { TestUser } from '../support/test-users.js';
import { percentile, refusalMs, requestsIn } from '../support/verifier/refusal-time.js';
import { codeOf, verifierOf } from '../support/verifier/verifiers.js';

const ISSUER = 'http://localhost:3000';
const SECRET = { clientId: 'reports', clientSecret: 'the secret of the reports service' };
const CLIENT = {
  id: SECRET.clientId,
  secretHashes: [`sha256:${createHash('sha256').update(SECRET.clientSecret).digest('hex')}`],
  // The first one is the default of a service token.
  audiences: ['https://ledger.example.com', 'latchkey'],
  scopes: ['revocations:read'],
};

let replicas: Replicas;
let links: TcpLink[];
let verifiers: Verifier[];

beforeAll(async () => {
  replicas = await Replicas.start({ SERVICE_CLIENTS: JSON.stringify([CLIENT]) }, { cheapPasswords: true });
  const [first, second] = replicas.both.map(({ process }) => process.url);
  const urls = [first, second, second].map((url) => url ?? '');
  links = await Promise.all(urls.map((url) => TcpLink.to(url)));
  const credentials = [{ internalApiKey: INTERNAL_KEY }, SECRET, SECRET];
  const open = (link: TcpLink, index: number) =>
    verifierOf(
      { url: link.by(urls[index] ?? '') },
      { issuer: ISSUER, credential: credentials[index] ?? SECRET, whenStale: 'refuse' },
    );
  verifiers = await Promise.all(links.map(open));
});

afterAll(async () => {
  for (const verifier of verifiers) verifier.close();
  await Promise.all(links.map((link) => link.close()));
  await replicas.stop();
});

type SignedIn = TestUser & Tokens;

async function signedIn(): Promise<SignedIn> {
  const user = await replicas.createUser();
  return { ...user, ...(await replicas.mint(user.id)) };
}

/** Ways to end a token, each on the n-th replica. Resolves with the response that acknowledges it. */
const WAYS: Record<string, (user: SignedIn, turn: number) => Promise<{ status: number }>> = {
  'a sign-out': ({ refreshToken }, turn) =>
    replicas.turn(turn).call('POST', '/auth/logout', { body: { refreshToken } }),
  'a sign-out everywhere': ({ token }, turn) =>
    replicas.turn(turn).call('POST', '/auth/logout-all', { token }),
  'a revocation by a machine': ({ token }, turn) =>
    replicas.machine(turn, 'POST', `/internal/sessions/${String(takeApart(token).claims.sid)}/revoke`),
  'a deactivation': ({ id }, turn) =>
    replicas.machine(turn, 'PATCH', `/internal/admin/users/${id}`, { body: { isActive: false } }),
  'a change of role': ({ id }, turn) =>
    replicas.machine(turn, 'PATCH', `/internal/admin/users/${id}`, {
      body: { globalRole: 'PLATFORM_ADMIN' },
    }),
};

const TURNS = 6;

/** Ends tokens in every way. @returns the milliseconds until each verifier refused each of them. */
async function refusalTimes(): Promise<number[]> {
  const times: number[] = [];
  for (const [way, end] of Object.entries(WAYS)) {
    for (let turn = 0; turn < TURNS; turn++) {
      const user = await signedIn();
      const before = await Promise.all(verifiers.map((verifier) => codeOf(verifier, user.token)));
      expect(before).toEqual(['accepted', 'accepted', 'accepted']);
      expect((await end(user, turn)).status, way).toBe(200);
      times.push(...(await Promise.all(verifiers.map((verifier) => refusalMs(verifier, user.token)))));
    }
  }
  return times;
}

describe('three verifiers at two replicas', () => {
  it('every verifier refuses an ended token soon after the acknowledged response, on either replica', async () => {
    const { result: times, probeMs } = await besideProbe(refusalTimes, () =>
      Promise.all(replicas.both.map(({ client }) => client.send('GET', '/health'))),
    );
    const [median, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    console.log(`${times.length} refusals: median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
    expect(p99).toBeLessThan(allowedMs(3_000, { probeMs }));
  });

  it('a revoked session is session_revoked, and a changed role outdates the token', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    await WAYS['a sign-out']?.(one, 0);
    await WAYS['a change of role']?.(other, 1);
    await Promise.all(
      [one, other].flatMap(({ token }) => verifiers.map((verifier) => refusalMs(verifier, token))),
    );
    for (const verifier of verifiers) {
      expect([await codeOf(verifier, one.token), await codeOf(verifier, other.token)]).toEqual([
        'session_revoked',
        'unauthorized',
      ]);
    }
    const { refreshToken } = other;
    const refreshed = await replicas.turn(0).call('POST', '/auth/refresh', { body: { refreshToken } });
    const { accessToken } = refreshed.data as { accessToken: string };
    for (const verifier of verifiers) expect(await codeOf(verifier, accessToken)).toBe('accepted');
  });

  it('requests of users cause no request to a replica', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, signedIn));
    const count = () => links.map(({ sent }) => requestsIn(sent));
    const before = count();
    for (let round = 0; round < 10; round++) {
      for (const { token } of users) {
        for (const verifier of verifiers) expect(await codeOf(verifier, token)).toBe('accepted');
      }
    }
    expect(count()).toEqual(before);
    expect(before.every((requests) => requests >= 2)).toBe(true);
  });
});
