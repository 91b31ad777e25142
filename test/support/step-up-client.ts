import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { takeApart } from './forged-token.js';
import type { TestService } from './service.js';
import type { SoftwareAuthenticator } from './software-authenticator.js';
import type { AuthenticationChanges } from './webauthn-changes.js';

type Api = Pick<TestService, 'api'>;

/** Sends one proof, from an address of its own where one is given. */
export const stepUp = (service: Api, token: string, proof: unknown, address?: string): Promise<Answer> =>
  service.api('POST', '/auth/step-up', {
    token,
    body: proof,
    headers: address === undefined ? {} : { 'x-forwarded-for': address },
  });

export async function stepUpOptions(
  service: Api,
  token: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const answer = await service.api('POST', '/auth/step-up/options', { token, body: {} });
  expect(answer.status, answer.text).toBe(200);
  return answer.data as unknown as PublicKeyCredentialRequestOptionsJSON;
}

/** Returns the response of the authenticator to the options of a step-up. */
export async function stepUpAssertion(
  service: Api,
  token: string,
  authenticator: SoftwareAuthenticator,
  changes?: AuthenticationChanges,
): Promise<unknown> {
  return authenticator.authenticate(await stepUpOptions(service, token), changes);
}

/** Returns time, methods and level of the sign-in that a token names. */
export function signInOf(token: string): {
  authTime: number;
  amr: readonly string[];
  acr: string;
  sid: string;
} {
  const {
    auth_time: authTime,
    amr,
    acr,
    sid,
  } = takeApart(token).claims as {
    auth_time: number;
    amr: string[];
    acr: string;
    sid: string;
  };
  return { authTime, amr, acr, sid };
}

/** Makes the sign-in of a session older, and of the token that is returned, as if its user had signed in then. */
export async function agedSession(
  service: TestService,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string },
  age = '1 hour',
): Promise<{ token: string; refreshToken: string }> {
  await service.sql('UPDATE sessions SET auth_time = auth_time - $2::interval WHERE id = $1', [
    signInOf(accessToken).sid,
    age,
  ]);
  const answer = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
  expect(answer.status, answer.text).toBe(200);
  return { token: answer.data.accessToken, refreshToken: answer.data.refreshToken };
}

/** The sign-in of a session: its level, and how long ago it was. */
interface SignInAt {
  acr: 'aal1' | 'aal2';
  age: string;
}

/** Gives a session this level and time of the sign-in, without any proof. @returns its tokens. */
export async function signedInAt<Tokens extends { token: string; refreshToken: string }>(
  service: Pick<TestService, 'sql' | 'api'>,
  tokens: Tokens,
  { acr, age }: SignInAt,
): Promise<Tokens> {
  await service.sql(
    `UPDATE sessions SET amr = $2, acr = $3, auth_time = now() - $4::interval, created_at = now() - $4::interval
     WHERE id = $1`,
    [signInOf(tokens.token).sid, acr === 'aal2' ? ['pwd', 'otp', 'mfa'] : ['pwd'], acr, age],
  );
  const answer = await service.api('POST', '/auth/refresh', { body: { refreshToken: tokens.refreshToken } });
  expect(answer.status, answer.text).toBe(200);
  const { accessToken, refreshToken } = answer.data;
  return { ...tokens, token: accessToken, refreshToken };
}

/** The same as if a second factor had just been proved in the session. */
export const provedByFactor = <Tokens extends { token: string; refreshToken: string }>(
  service: Pick<TestService, 'sql' | 'api'>,
  tokens: Tokens,
): Promise<Tokens> => signedInAt(service, tokens, { acr: 'aal2', age: '0' });
