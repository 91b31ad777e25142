import { randomUUID } from 'node:crypto';
import { KeySet } from '@latchkey/core/keys';
import { signRs256, type TokenParts } from '../forged-token.js';
import { testKeys, type TestKeyPair } from '../test-keys.js';

export const ISSUER = 'https://auth.example.com';
export const AUDIENCE = 'latchkey';

/** Claims and header of a valid access token, with changes; undefined leaves out. */
export async function tokenParts(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  keys: TestKeyPair = testKeys(),
): Promise<TokenParts> {
  const { signingKeyId } = await KeySet.fromPem(keys.privateKeyPem);
  const now = Math.floor(Date.now() / 1000);
  return {
    header: { alg: 'RS256', typ: 'at+jwt', kid: signingKeyId, ...header },
    claims: {
      ...{ iss: ISSUER, aud: AUDIENCE, sub: randomUUID(), sid: randomUUID(), jti: randomUUID() },
      ...{ iat: now, nbf: now, exp: now + 900, auth_time: now, client_id: 'latchkey' },
      ...{ globalRole: 'NONE', tokenVersion: 0, amr: ['pwd'], ...claims },
    },
  };
}

/** Returns a valid access token, with changes. */
export const accessToken = async (
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  keys: TestKeyPair = testKeys(),
): Promise<string> => signRs256(await tokenParts(claims, header, keys), keys.privateKeyPem);

/** Returns a request as the Fetch API has it. */
export const requestWith = (token?: string, headers: Record<string, string> = {}): Request =>
  new Request('http://reports.example.com/reports', {
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });
