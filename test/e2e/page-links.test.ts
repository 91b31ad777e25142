import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ON_THE_SERVER } from '../support/binding.js';
import { databaseContent } from '../support/database-content.js';
import { openPage, withoutNonce } from '../support/html-page.js';
import { InvitationClient } from '../support/invitation-client.js';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestMail, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';

let service: TestService;
let invitations: InvitationClient;
let resets: ResetClient;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
  invitations = await InvitationClient.open(service);
  resets = new ResetClient(service);
});
afterAll(() => service.stop());

const pathOf = ({ link }: TestMail): string => link.slice(service.publicUrl.length);

async function invitationMail(): Promise<TestMail> {
  const { email } = await invitations.invite();
  return service.mailTo(email);
}

async function resetMail(): Promise<TestMail & { email: string }> {
  const { email } = await service.createUser();
  await resets.tokenFor(email);
  return { email, ...(await service.mailTo(email)) };
}

describe('the link of a mail', () => {
  it.each([
    ['an invitation', '/accept-invitation', invitationMail],
    ['a reset', '/reset-password', resetMail],
  ])('the link of %s leads to its page, which does not repeat the token', async (_what, path, mailOf) => {
    const mail = await mailOf();
    expect(pathOf(mail)).toBe(`${path}?token=${mail.token}`);
    const page = await openPage(service.client, pathOf(mail));
    expect(page.html + JSON.stringify(page.answer.headers)).not.toContain(mail.token);
    expect(withoutNonce(page)).toBe(withoutNonce(await openPage(service.client, path)));
  });

  it.runIf(ON_THE_SERVER)(
    'the link of a mail is not logged with its token, whether it opens the page or fails',
    async () => {
      const [{ token }, reset] = [await invitationMail(), await resetMail()];
      for (const query of [`token=${token}`, `token=${reset.token}&x=%`]) {
        for (const path of [
          '/accept-invitation',
          '/reset-password',
          '/login',
          '/accept-invitation/',
          '/nope',
        ]) {
          for (const method of ['GET', 'POST', 'HEAD']) await service.client.send(method, `${path}?${query}`);
        }
      }
      const log = service.log();
      expect(log).toContain('GET /accept-invitation 200');
      expect(log).toContain('POST /reset-password 404');
      expect([log.includes(token), log.includes(reset.token)]).toEqual([false, false]);
    },
  );
});

describe('a mail scanner that opens links', () => {
  it('a mail scanner changes nothing, and the invitation is accepted afterwards', async () => {
    const mail = await invitationMail();
    await openTenTimes(mail);
    const answer = await invitations.accept({ token: mail.token, password: PASSWORD });
    expect(answer.status, answer.text).toBe(200);
  });

  it('a mail scanner changes nothing, and the password is reset afterwards', async () => {
    const mail = await resetMail();
    await openTenTimes(mail);
    expect((await resets.confirm(mail.token)).status).toBe(200);
    expect((await resets.login(mail.email, PASSWORD)).status).toBe(401);
  });
});

/** Opens the link ten times with the headers of a scanner, and expects no change in the database. */
async function openTenTimes(mail: TestMail): Promise<void> {
  await resets.allMailIsHandled();
  const before = await databaseContent(service.sql);
  expect(JSON.stringify(before).length).toBeGreaterThan(1000);
  for (let count = 0; count < 10; count++) {
    const headers = { 'user-agent': `scanner/${count}`, purpose: 'prefetch', cookie: 'lk_state=1' };
    await openPage(service.client, pathOf(mail), { headers });
  }
  expect(await databaseContent(service.sql)).toEqual(before);
}
