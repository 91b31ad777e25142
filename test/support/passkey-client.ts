import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import type { SignedInTestUser } from './minted-token.js';
import type { TestService } from './service.js';
import type { SoftwareAuthenticator } from './software-authenticator.js';
import type { AuthenticationChanges, RegistrationChanges } from './webauthn-changes.js';

/** The origin of a page; the default of the software authenticator. */
export const ORIGIN = 'http://localhost:3000';
/** Of an Android app, by the SHA-256 of the certificate that signed it. */
export const ANDROID_ORIGIN = 'android:apk-key-hash:xT5ZucZJ9N7oq3j3awG8J_NlKf8trfo6AAJB8deuuNo';

/** Settings of a service with passkeys. */
export const PASSKEY_ENV = {
  PASSKEYS_ENABLED: 'true',
  WEBAUTHN_RP_ID: 'localhost',
  WEBAUTHN_ORIGINS: `${ORIGIN},${ANDROID_ORIGIN}`,
};

/** The error of every registration response that does not verify, whatever is wrong with it. */
export const REGISTRATION_REFUSED = {
  status: 401,
  code: 'unauthorized',
  message: 'The passkey could not be registered. Begin again.',
};
/** The same at sign-in. */
export const SIGN_IN_REFUSED = {
  status: 401,
  code: 'unauthorized',
  message: 'The passkey was not accepted.',
};

/** The user who registers: a session, and the password that a registration asks for again. */
export type PasskeyOwner = Pick<SignedInTestUser, 'token' | 'password'>;

export async function registrationOptions(
  service: Pick<TestService, 'api'>,
  { token, password }: PasskeyOwner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const body = { currentPassword: password };
  const answer = await service.api('POST', '/auth/passkeys/register/options', { token, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.data as unknown as PublicKeyCredentialCreationOptionsJSON;
}

export const verifyRegistration = (
  service: Pick<TestService, 'api'>,
  { token }: Pick<PasskeyOwner, 'token'>,
  credential: unknown,
): Promise<Answer> => service.api('POST', '/auth/passkeys/register/verify', { token, body: { credential } });

/** A whole registration: options, the authenticator's response, changed by `changes`, and the answer to it. */
export async function registerPasskey(
  service: Pick<TestService, 'api'>,
  owner: PasskeyOwner,
  authenticator: SoftwareAuthenticator,
  changes?: RegistrationChanges,
): Promise<Answer> {
  const options = await registrationOptions(service, owner);
  return verifyRegistration(service, owner, await authenticator.register(options, changes));
}

export async function signInOptions(
  service: Pick<TestService, 'api'>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const answer = await service.api('POST', '/auth/passkeys/login/options', { body: {} });
  expect(answer.status, answer.text).toBe(200);
  return answer.data as unknown as PublicKeyCredentialRequestOptionsJSON;
}

export const verifySignIn = (service: Pick<TestService, 'api'>, credential: unknown): Promise<Answer> =>
  service.api('POST', '/auth/passkeys/login/verify', { body: { credential } });

/** A whole sign-in: options, the authenticator's response, changed by `changes`, and the answer to it. */
export async function signInWithPasskey(
  service: Pick<TestService, 'api'>,
  authenticator: SoftwareAuthenticator,
  changes?: AuthenticationChanges,
): Promise<Answer> {
  return verifySignIn(service, await authenticator.authenticate(await signInOptions(service), changes));
}

/** The ids of a user's passkeys, the newest first. */
export async function passkeysOf(
  service: Pick<TestService, 'api'>,
  { token }: Pick<PasskeyOwner, 'token'>,
): Promise<string[]> {
  const answer = await service.api('GET', '/auth/passkeys', { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.items.map(({ id }) => id);
}
