import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Verifier } from '@latchkey/verifier';
import { getCaller, requireAuth } from '@latchkey/verifier/express';
import { accessToken } from '../support/verifier/access-token.js';
import { MovedClock } from '../support/verifier/moved-clock.js';
import { closeAfterEach, feedService, verifierOf } from '../support/verifier/verifiers.js';
import { waitUntil } from '../support/wait-until.js';

closeAfterEach();

/** Returns a verifier that has accepted a token. */
async function remembering(claims: Parameters<typeof accessToken>[0] = {}) {
  const service = await feedService();
  const clock = new MovedClock();
  const verifier = await verifierOf(service, { clock, whenStale: 'refuse' });
  const token = await accessToken(claims);
  await verifier.authenticateToken(token);
  return { service, clock, verifier, token };
}

/** Returns the code of the refusal, else the user's id or undefined. */
function recalled(verifier: Verifier, token: string): unknown {
  try {
    return verifier.recallToken(token)?.userId;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const untilRecalled = (verifier: Verifier, token: string, result: unknown) =>
  waitUntil(() => recalled(verifier, token) === result, { what: String(result) });

describe('a remembered token', () => {
  it('is recognized at once, and any other token is not', async () => {
    const sub = randomUUID();
    const { verifier, token } = await remembering({ sub });
    expect(recalled(verifier, token)).toBe(sub);
    expect(recalled(verifier, await accessToken({ sub }))).toBeUndefined();
  });

  it('lends its signature to no other header or claims', async () => {
    const { verifier, token } = await remembering();
    const [header = '', , signature = ''] = token.split('.');
    const [otherHeader = '', otherClaims = ''] = (await accessToken({ sub: randomUUID() })).split('.');
    const forged = [
      `${header}.${otherClaims}.${signature}`,
      `${otherHeader}.${otherClaims}.${signature}`,
      `${token}=`,
      `${header}.${otherClaims}`,
    ];
    for (const each of forged) {
      expect(recalled(verifier, each)).toBeUndefined();
      await expect(verifier.authenticateToken(each)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  it('is refused at once after its session has ended', async () => {
    const sid = randomUUID();
    const { service, verifier, token } = await remembering({ sid });
    service.revokeSession(sid);
    await untilRecalled(verifier, token, 'session_revoked');
  });

  it('is refused at once after tokens of its version are outdated', async () => {
    const sub = randomUUID();
    const { service, verifier, token } = await remembering({ sub, tokenVersion: 3 });
    service.outdateTokens(sub, 4);
    await untilRecalled(verifier, token, 'unauthorized');
  });

  it('is refused at once after it has expired', async () => {
    const { clock, verifier, token } = await remembering();
    clock.pass(100_000);
    expect(recalled(verifier, token)).toBe('unauthorized');
  });

  it('is left to the policy while the feed is stale', async () => {
    const { service, clock, verifier, token } = await remembering();
    await service.stop();
    clock.pass(11);
    expect(recalled(verifier, token)).toBeUndefined();
    await expect(verifier.authenticateToken(token)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

it('a guard goes on before it returns if the token is remembered, and the error of a handler stays its own', async () => {
  const { verifier, token } = await remembering();
  const request = new IncomingMessage(new Socket());
  request.rawHeaders.push('Authorization', `Bearer ${token}`);
  const response = new ServerResponse(request);
  const seen: unknown[] = [];
  const guard = requireAuth(verifier);
  const decision = guard(request, response, () => seen.push(getCaller(request).tokenId));
  expect([decision, seen.length]).toEqual([undefined, 1]);
  const broken = (error?: unknown): void => {
    seen.push(error);
    throw new Error('broken');
  };
  expect(() => guard(request, response, broken)).toThrow('broken');
  expect(seen.slice(1)).toEqual([undefined]);
});
