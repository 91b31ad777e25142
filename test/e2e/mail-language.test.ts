import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmailChangeClient, freshAddress } from '../support/email-change-client.js';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';

/** What a mail in the language begins with. */
const GREETINGS = { en: /^Hello\b/, de: /^Guten Tag\b/ };

let service: TestService;
let invitations: InvitationClient;
// The language of the service is another one than that of its code, so that no mail is in it by accident.
beforeAll(async () => {
  service = await startTestService({
    env: { DEFAULT_LOCALE: 'de', REGISTRATION_APPROVAL: 'verified', EMAIL_VERIFICATION: 'required' },
  });
  invitations = await InvitationClient.open(service);
});
afterAll(() => service.stop());

const patchMe = (token: string, body: object) => service.api('PATCH', '/auth/me', { token, body });
const requestReset = (email: string) =>
  service.api('POST', '/auth/password-reset/request', { body: { email } });

async function expectLanguage(email: string, locale: keyof typeof GREETINGS, count = 1): Promise<void> {
  const { text } = await service.mailTo(email, count);
  expect(text).toMatch(GREETINGS[locale]);
}

/** A signed-in user who has chosen a language. */
async function userWith(locale: string) {
  const user = await service.signedIn();
  expect((await patchMe(user.accessToken, { locale })).status).toBe(200);
  return user;
}

describe('the language of a user', () => {
  it('is set, shown and cleared by the user, and the next mail is in it', async () => {
    const user = await userWith('en');
    const me = () => service.api('GET', '/auth/me', { token: user.accessToken });
    expect((await me()).data).toMatchObject({ locale: 'en' });
    await requestReset(user.email);
    await expectLanguage(user.email, 'en');
    expect((await patchMe(user.accessToken, { locale: '' })).data).not.toHaveProperty('locale');
    expect((await me()).data).not.toHaveProperty('locale');
    await requestReset(user.email);
    await expectLanguage(user.email, 'de', 2);
  });

  it.each(['fr', 'EN', 'de-DE', 'german'])(
    '"%s" is refused with the names of the known ones',
    async (locale) => {
      const { accessToken } = await service.signedIn();
      expect(await patchMe(accessToken, { locale })).toMatchObject({
        status: 400,
        code: 'validation_error',
        message: expect.stringContaining('locale: must be en or de') as string,
      });
    },
  );

  it('is chosen at the registration, whose mail is in it', async () => {
    const register = async (locale?: string) => {
      const email = freshEmail();
      const body = { email, password: PASSWORD, fullName: 'Ann Berg', locale };
      const answer = await service.api('POST', '/auth/register', { body });
      expect(answer.status, answer.text).toBe(201);
      return email;
    };
    await expectLanguage(await register('en'), 'en');
    await expectLanguage(await register(), 'de');
    await expectLanguage(await register(''), 'de');
  });

  it('is set by machines, at the creation of a user and later', async () => {
    const email = freshEmail();
    const created = await service.machine('POST', '/internal/admin/users', { body: { email, locale: 'en' } });
    expect(created.data).toMatchObject({ locale: 'en' });
    const changed = await service.machine('PATCH', `/internal/admin/users/${created.data.id}`, {
      body: { locale: 'de' },
    });
    expect(changed.data).toMatchObject({ locale: 'de' });
  });
});

describe('the language of an invitation', () => {
  it('is that of the inviter for an address without an account, also of the account that accepts', async () => {
    const email = freshEmail();
    const { data } = await invitations.create({ email, locale: 'en' });
    expect(data).toMatchObject({ locale: 'en' });
    await expectLanguage(email, 'en');
    await invitations.resend(data.id);
    await expectLanguage(email, 'en', 2);
    const { token } = await service.mailTo(email, 2);
    const accepted = await service.api('POST', '/auth/invitations/accept', {
      body: { token, password: PASSWORD },
    });
    expect(accepted.status, accepted.text).toBe(200);
    expect((await service.auth.admin.users.getByEmail(email)).locale).toBe('en');
  });

  it('is that of the service if the inviter names none, and the invited person may choose theirs', async () => {
    const email = freshEmail();
    const { data } = await invitations.create({ email });
    expect(data).not.toHaveProperty('locale');
    await expectLanguage(email, 'de');
    const { token } = await service.mailTo(email);
    const body = { token, password: PASSWORD, locale: 'en' };
    const accepted = await service.api('POST', '/auth/invitations/accept', { body });
    expect(accepted.status, accepted.text).toBe(200);
    expect((await service.auth.admin.users.getByEmail(email)).locale).toBe('en');
  });

  it('is that of the invited user if they have chosen one', async () => {
    const { email } = await userWith('en');
    await invitations.create({ email, locale: 'de' });
    await expectLanguage(email, 'en');
  });
});

it('both mails of a change of address are in the language of the user', async () => {
  const changes = new EmailChangeClient(service);
  const user = await userWith('en');
  const newEmail = freshAddress();
  const { undo } = await changes.changed(user, newEmail);
  await expectLanguage(newEmail, 'en');
  await expectLanguage(user.email, 'en');
  expect((await changes.undo(undo)).status).toBe(200);
  await expectLanguage(newEmail, 'en', 2);
});

it('an administrator who changes the address of a user notifies them in their language', async () => {
  const user = await userWith('en');
  const body = { email: freshAddress() };
  await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body });
  await expectLanguage(user.email, 'en');
});
