import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import { beSignedIn, cutOff, expectAnswer, hold, said, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD } from '../support/test-users.js';

const OFFER = {
  role: 'ACCOUNT_MANAGER',
  metadata: { companyName: 'Müller & Sons (Rindfleischetikettierung)' },
};
const JOIN = 'Join Müller & Sons (Rindfleischetikettierung)';
const NEWCOMER = ['Email', 'Your name optional', 'Password', 'Show password', 'Create account and join'];
const PREVIEW = '**/auth/invitations/preview*';

describeWithBrowser('appearance of the invitation page', (browser) => {
  let service: TestService;
  let testClient: InvitationClient;
  beforeAll(async () => {
    service = await startTestService({ env: { WEB_APP_URL: 'http://localhost:1' } });
    testClient = await InvitationClient.open(service);
  });
  afterAll(() => service.stop());

  const arrive = async () => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    const follow = ({ token }: { token: string }) => page.goto(`/accept-invitation?token=${token}`);
    return { visitor, page, follow, send: page.getByRole('button', { name: 'Create account and join' }) };
  };

  it('the page is accessible while it opens the invitation', async () => {
    const { page, follow } = await arrive();
    await hold(page, PREVIEW);
    await follow({ token: 'lki_x' });
    await shown(page, 'Your invitation');
    await inspectArrival(page, 'invitation-opening', []);
  });

  it('the form of a new user is accessible, with invalid fields and after joining too', async () => {
    const { page, follow, send } = await arrive();
    await follow(await testClient.invite({ ...OFFER, email: 'ada@example.com' }));
    await shown(page, JOIN);
    await inspectArrival(page, 'invitation-newcomer', NEWCOMER);
    await expectButtonsInForcedColors(page);
    await send.click();
    await said(page, 'Enter your password.');
    await inspect(page, 'invitation-faulty', NEWCOMER);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await send.click();
    await page.getByRole('link', { name: 'Continue' }).waitFor();
    await inspect(page, 'invitation-joined', ['Continue']);
  });

  it('the form of a new user is accessible in German, with the strength of the password', async () => {
    const { page } = await browser.visit(service.publicUrl, { locale: 'de-DE' });
    const { token } = await testClient.invite({ ...OFFER, email: 'ada.lovelace@example.com' });
    await page.goto(`/accept-invitation?token=${token}`);
    await shown(page, 'Einladung zu Müller & Sons (Rindfleischetikettierung)');
    await page.getByLabel('Passwort', { exact: true }).fill('Ada.Lovelace');
    await said(page, 'Leicht zu erraten: Es ähnelt Ihrer E-Mail-Adresse.');
    await inspect(page, 'invitation-newcomer-de', [
      'E-Mail-Adresse',
      'Ihr Name optional',
      'Passwort',
      'Passwort anzeigen',
      'Konto erstellen und beitreten',
    ]);
  });

  it('the form is accessible after it could not be submitted', async () => {
    const { visitor, page, follow, send } = await arrive();
    await follow(await testClient.invite(OFFER));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await cutOff(visitor, '**/auth/invitations/accept');
    await send.click();
    await page.getByRole('alert').waitFor();
    await inspect(page, 'invitation-not-sent', NEWCOMER);
  });

  it('the page of an existing user is accessible, signed out and signed in', async () => {
    const { page, follow } = await arrive();
    const user = await signedInUser(service, { email: 'grace.brewster.murray.hopper@navy.example.com' });
    const invitation = await testClient.invite({ ...OFFER, email: user.email });
    await follow(invitation);
    await page.getByRole('link', { name: 'Sign in to join' }).waitFor();
    await inspectArrival(page, 'invitation-account', ['Sign in to join']);
    await beSignedIn(page, user);
    await follow(invitation);
    await page.getByRole('button', { name: JOIN }).waitFor();
    await inspectArrival(page, 'invitation-join', [JOIN, 'Sign out']);
    await expectButtonsInForcedColors(page);
  });

  it('the page is accessible for another signed-in user', async () => {
    const { page, follow } = await arrive();
    await page.goto('/login');
    await beSignedIn(page, await signedInUser(service));
    await follow(await testClient.invite(OFFER));
    await shown(page, 'This invitation is for another account');
    await inspectArrival(page, 'invitation-wrong-account', ['Sign out and continue']);
  });

  it('the page is accessible for an existing member', async () => {
    const { visitor, page, follow } = await arrive();
    const user = await signedInUser(service);
    await page.goto('/login');
    await beSignedIn(page, user);
    await follow(await testClient.invite({ ...OFFER, email: user.email }));
    await insertMembership(service.sql, { userId: user.id, companyId: testClient.company });
    expectAnswer(visitor, 409);
    await page.getByRole('button', { name: JOIN }).click();
    await said(page, 'Nothing has changed.');
    await inspect(page, 'invitation-member', ['Continue']);
  });

  it('the page of a closed invitation is accessible for every reason', async () => {
    const { visitor, page, follow } = await arrive();
    expectAnswer(visitor, 409);
    expectAnswer(visitor, 404);
    const [expired, cancelled, accepted] = [
      await testClient.invite(),
      await testClient.invite(),
      await testClient.invite(),
    ];
    await testClient.expire(expired.id);
    await testClient.cancel(cancelled.id);
    await testClient.accept({ token: accepted.token, password: PASSWORD });
    for (const [name, { token }, heading, stops] of [
      ['expired', expired, 'This invitation has expired', ['Go to sign-in']],
      ['cancelled', cancelled, 'This invitation was cancelled', ['Go to sign-in']],
      ['accepted', accepted, 'This invitation has already been accepted', ['Sign in']],
      ['unknown', { token: 'lki_unknown' }, "This link doesn't work", ['Go to sign-in']],
    ] as const) {
      await follow({ token });
      await shown(page, heading);
      await inspectArrival(page, `invitation-${name}`, [...stops]);
    }
  });

  it('the page is accessible for every temporary failure', async () => {
    const { visitor, page, follow } = await arrive();
    const { token } = await testClient.invite({ email: freshEmail() });
    for (const [name, status, code, heading, stops] of [
      ['unreachable', 503, 'service_unavailable', 'The service cannot be reached', ['Try again']],
      ['rate-limited', 429, 'rate_limited', 'Too many attempts', ['Try again']],
      ['closed', 409, 'conflict', 'This invitation cannot be accepted', ['Go to sign-in']],
    ] as const) {
      expectAnswer(visitor, status);
      const problem = {
        code,
        reason: code,
        detail: 'The account changed meanwhile. Open the invitation again.',
      };
      await page.route(PREVIEW, (route) => route.fulfill({ status, json: problem }));
      await follow({ token });
      await shown(page, heading);
      await inspectArrival(page, `invitation-${name}`, [...stops]);
      await page.unroute(PREVIEW);
    }
    expect(await testClient.preview(token)).toMatchObject({ status: 200 });
  });
});
