import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthError, type FieldFault } from '@latchkey/core';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { ResetClient } from '../support/reset-client.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    env: { PUBLIC_REGISTRATION_ENABLED: 'true', PASSWORD_BLOCKLIST: 'true' },
  });
});

afterAll(() => service.stop());

/** Pointer and reason of each field that a request is refused for. */
async function faultsOf(path: string, body: object, options: object = {}): Promise<string[]> {
  const headers = { accept: 'application/problem+json', 'x-internal-api-key': INTERNAL_KEY };
  const { status, text } = await service.client.send('POST', path, { body, headers, ...options });
  expect(status).toBe(400);
  return listed((JSON.parse(text) as { errors: FieldFault[] }).errors);
}

const listed = (faults: readonly FieldFault[]): string[] =>
  faults.map(({ pointer, reason }) => `${pointer} ${reason}`).toSorted();

const BAD_PASSWORD = ['/password too_common', '/password too_short'];

describe('a password that breaks the policy', () => {
  it('a bad password is reported with the other faults of a registration, of the service and of the library', async () => {
    const body = { email: 'nope', password: '12345', fullName: '' };
    const expected = ['/email format', '/fullName too_short', ...BAD_PASSWORD];
    expect(await faultsOf('/auth/register', body)).toEqual(expected);
    const error: unknown = await service.auth.registration.register(body).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthError);
    if (error instanceof AuthError) {
      expect(listed(error.fields)).toEqual(expected);
      expect(error.message).toBe(
        'email: must be an email address; fullName: must not be empty; ' +
          'password: must have at least 8 characters; password: is one of the most common passwords',
      );
    }
  });

  it('a bad password is reported alone when everything else is right', async () => {
    const body = { email: 'jane@example.com', password: 'jane', fullName: 'Jane' };
    expect(await faultsOf('/auth/register', body)).toEqual(['/password like_email', '/password too_short']);
  });

  it('a bad password is reported with the other faults of a user that a machine adds', async () => {
    const body = { email: 'nope', password: '12345', globalRole: 'BOSS' };
    expect(await faultsOf('/internal/admin/users', body)).toEqual([
      '/email format',
      '/globalRole not_allowed',
      ...BAD_PASSWORD,
    ]);
  });

  it('a bad password is reported with the other faults of a reset and of a change of the password', async () => {
    const ofNew = ['/newPassword too_common', '/newPassword too_short'];
    expect(await faultsOf('/auth/password-reset/confirm', { token: '', newPassword: '12345' })).toEqual([
      ...ofNew,
      '/token too_short',
    ]);
    const { token } = await signedInUser(service);
    expect(await faultsOf('/auth/password/change', { newPassword: '12345' }, { token })).toEqual([
      '/currentPassword required',
      ...ofNew,
    ]);
  });

  it('a bad password is reported with the other faults of a new user who accepts an invitation', async () => {
    const { token } = await (await InvitationClient.open(service)).invite();
    const body = { token, password: '12345', fullName: ' ' };
    expect(await faultsOf('/auth/invitations/accept', body)).toEqual([
      '/fullName too_short',
      ...BAD_PASSWORD,
    ]);
  });
});

it('a password that the request does not need is not checked', async () => {
  const { token } = await new ResetClient(service).userWithToken();
  expect(await faultsOf('/auth/login', { email: 'nope', password: '1' })).toEqual(['/email format']);
  expect(await faultsOf('/auth/password-reset/confirm', { token, newPassword: '' })).toEqual([
    '/newPassword too_short',
  ]);
});
