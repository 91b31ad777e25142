import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol } from '../support/authenticator-app.js';
import {
  asLateAs,
  ExternalClient,
  externalEnv,
  googlePerson,
  newVerifier,
  reasonOf,
} from '../support/external-client.js';
import { takeApart } from '../support/forged-token.js';
import { HostileProvider, type Person } from '../support/hostile-provider.js';
import { startTestService, type TestService } from '../support/service.js';

let provider: HostileProvider;
let service: TestService;
let client: ExternalClient;

const OPEN = {
  EXTERNAL_SIGN_UP: 'true',
  PUBLIC_REGISTRATION_ENABLED: 'true',
  REGISTRATION_APPROVAL: 'none',
};

beforeAll(async () => {
  provider = await HostileProvider.start();
  service = await startTestService({ env: externalEnv(provider, OPEN) });
  client = new ExternalClient(service, provider);
});
afterAll(async () => {
  await service.stop();
  provider.stop();
});

interface Link {
  token: string;
  methods: string[];
  expiresIn: number;
}

const linkOf = ({ data }: { data: Record<string, unknown> }): Link => data.link as Link;
const identitiesOf = (userId: string) =>
  service.sql('SELECT connection_id, subject FROM external_identities WHERE user_id = $1', [userId]);
const details = async (event: string, userId: string) =>
  (
    await service.sql('SELECT details FROM auth_audit_logs WHERE event = $1 AND subject_user_id = $2', [
      event,
      userId,
    ])
  ).map((row) => row.details);
const mailKinds = async (email: string) =>
  (
    await service.sql('SELECT kind FROM mail_outbox WHERE recipient = $1 ORDER BY created_at, id', [email])
  ).map(({ kind }) => kind);

/** A person of a plain provider that claims this address, verified by whatever it says. */
const claiming = (email: string, claims: Record<string, unknown> = {}): Person => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  ...claims,
});

/** The ways in which a provider names the address of an account without deciding who has the mailbox. */
const UNTRUSTED: [what: string, connection: string, person: (email: string) => Person][] = [
  ['a verified address of a plain provider', 'plain', (email) => claiming(email)],
  ['an address that is not verified', 'plain', (email) => claiming(email, { email_verified: false })],
  ['an address without a word about it', 'plain', (email) => claiming(email, { email_verified: undefined })],
  [
    'an organization of Google at a plain provider',
    'plain',
    (email) => claiming(email, { hd: email.split('@')[1] }),
  ],
  ['a domain of Microsoft at a plain provider', 'plain', (email) => claiming(email, { xms_edov: true })],
  [
    'an address that Google has not verified',
    'google',
    (email) => claiming(email, { email_verified: false, hd: 'example.com' }),
  ],
  ['an address of another domain at Google', 'google', (email) => claiming(email)],
  [
    'an address of a domain that is not the organization at Google',
    'google',
    (email) => claiming(email, { hd: 'other.example' }),
  ],
  ['a domain of Microsoft at Google', 'google', (email) => claiming(email, { xms_edov: true })],
];

describe('an identity whose address has an account', () => {
  it.each(UNTRUSTED)(
    'is not linked by %s: the user signs in as before and links it',
    async (_what, connection, personOf) => {
      const user = await service.createUser();
      const person = personOf(user.email);
      const begun = await client.begin(connection);
      const answer = await client.finish(client.response(begun, person));
      expect(answer.status, answer.text).toBe(200);
      expect(linkOf(answer)).toMatchObject({ methods: ['password'], expiresIn: 900 });
      expect(answer.text).not.toContain('accessToken');
      expect(await identitiesOf(user.id)).toEqual([]);
      expect(await details('external_identity_link_refused', user.id)).toMatchObject([
        { reason: 'mailbox_unproved' },
      ]);
      // No mail: one click of its owner must not let a stranger in.
      expect(await mailKinds(user.email)).toEqual([]);

      const { accessToken } = await service.signIn(user);
      const body = { token: linkOf(answer).token, verifier: begun.verifier };
      const linked = await service.api('POST', '/auth/external/link', { token: accessToken, body });
      expect(linked.status, linked.text).toBe(201);
      expect(await identitiesOf(user.id)).toEqual([{ connection_id: connection, subject: person.sub }]);
      expect(await mailKinds(user.email)).toContain('identity_linked');
      const again = await client.signIn(connection, person);
      expect(takeApart(again.data.accessToken).claims.sub).toBe(user.id);
    },
  );

  it('is linked at once if the provider decides who has the mailbox, and the user is notified', async () => {
    for (const [email, claims] of [
      [`${randomUUID()}@gmail.com`, {}],
      [`${randomUUID()}@firm.example`, { hd: 'firm.example' }],
    ] as const) {
      const user = await service.createUser({ email });
      const person = claiming(email, claims);
      const { data, status, text } = await client.signIn('google', person);
      expect(status, text).toBe(200);
      expect(takeApart(data.accessToken).claims.sub).toBe(user.id);
      expect(await mailKinds(email)).toContain('identity_linked');
      expect(await details('external_identity_linked', user.id)).toMatchObject([{ connectionId: 'google' }]);
      // The password stays: its owner proved the mailbox before.
      expect((await service.signIn(user)).accessToken).toBeDefined();
    }
  });

  it('is never linked to platform staff by the address alone', async () => {
    const user = await service.createUser({ email: `${randomUUID()}@gmail.com`, role: 'PLATFORM_MODERATOR' });
    const answer = await client.signIn('google', googlePerson(user.email));
    expect(linkOf(answer).methods).toEqual(['password']);
    expect(await identitiesOf(user.id)).toEqual([]);
    expect(await details('external_identity_link_refused', user.id)).toMatchObject([{ reason: 'staff' }]);
  });

  it.each([
    ['deactivated', { active: false }, 'account_inactive'],
    ['rejected', { approval: 'REJECTED' }, 'registration_rejected'],
  ] as const)('is not linked to an account that was %s', async (_what, state, reason) => {
    const user = await service.createUser({ email: `${randomUUID()}@gmail.com`, ...state });
    const answer = await client.signIn('google', googlePerson(user.email));
    expect([answer.status, reasonOf(answer)]).toEqual([403, reason]);
    expect(await identitiesOf(user.id)).toEqual([]);
  });

  it('opens nothing for a state of the account that no sign-in passes', async () => {
    const person = googlePerson();
    await client.signIn('google', person);
    const [user] = await service.sql('SELECT id FROM users WHERE email = $1', [person.email]);
    await service.machine('PATCH', `/internal/admin/users/${String(user?.id)}`, {
      body: { isActive: false },
    });
    const answer = await client.signIn('google', person);
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'account_inactive']);
  });
});

describe('an account that a stranger has registered with the address of another person', () => {
  /** Registers the address of a person who never proved it, and sets up everything that could stay. */
  async function preRegistered(email: string, of = service) {
    const password = 'the password of the stranger';
    await of.api('POST', '/auth/register', { body: { email, password, fullName: 'Stranger' } });
    const [user] = await of.sql('SELECT id FROM users WHERE email = $1', [email]);
    return { id: String(user?.id), email, password };
  }

  it('is reclaimed by the owner of the mailbox: nothing of the stranger stays', async () => {
    const owner = googlePerson();
    const stranger = await preRegistered(owner.email);
    const { accessToken } = await service.signIn(stranger);
    await enrol(service, accessToken);
    const { data } = await service.api('POST', '/auth/login', { body: stranger });
    expect(data.secondFactor).toBeDefined();
    // The stranger has linked an account of their own, too.
    await service.sql(
      `INSERT INTO external_identities (id, user_id, connection_id, subject) VALUES (gen_random_uuid(), $1, 'plain', $2)`,
      [stranger.id, `stranger-${stranger.id}`],
    );

    const answer = await client.signIn('google', owner);
    expect(answer.status, answer.text).toBe(200);
    expect(takeApart(answer.data.accessToken).claims.sub).toBe(stranger.id);
    expect((await service.api('GET', '/auth/me', { token: accessToken })).status).toBe(401);
    expect((await service.api('POST', '/auth/login', { body: stranger })).status).toBe(401);
    expect(await identitiesOf(stranger.id)).toEqual([{ connection_id: 'google', subject: owner.sub }]);
    expect(await service.sql('SELECT 1 FROM totp_factors WHERE user_id = $1', [stranger.id])).toEqual([]);
    expect(await details('external_identity_reclaimed', stranger.id)).toMatchObject([
      { removedIdentities: 1 },
    ]);
    expect(await mailKinds(owner.email)).toContain('identity_reclaimed');
    const [{ email_verified_at: proved } = {}] = await service.sql(
      'SELECT email_verified_at FROM users WHERE id = $1',
      [stranger.id],
    );
    expect(proved).toBeInstanceOf(Date);
  });

  it('is reclaimed although one click on its mail has proved the mailbox', async () => {
    const owner = googlePerson();
    const stranger = await preRegistered(owner.email);
    await service.sql(
      'UPDATE users SET email_verified_at = now(), proved_by_link_alone = true WHERE id = $1',
      [stranger.id],
    );
    expect((await client.signIn('google', owner)).status).toBe(200);
    expect((await service.api('POST', '/auth/login', { body: stranger })).status).toBe(401);
  });

  it('is not given to a provider that does not decide who has the mailbox', async () => {
    const email = `${randomUUID()}@example.com`;
    const stranger = await preRegistered(email);
    expect(linkOf(await client.signIn('plain', claiming(email))).token).toBeDefined();
    expect(await identitiesOf(stranger.id)).toEqual([]);
  });

  it('keeps the status of its approval', async () => {
    const own = await startTestService({
      env: externalEnv(provider, { ...OPEN, REGISTRATION_APPROVAL: 'staff' }),
    });
    const owner = googlePerson();
    const stranger = await preRegistered(owner.email, own);
    const answer = await new ExternalClient(own, provider).signIn('google', owner);
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'pending_approval']);
    const [user] = await own.sql(
      'SELECT approval_status, is_active, password_hash FROM users WHERE id = $1',
      [stranger.id],
    );
    expect(user).toEqual({ approval_status: 'PENDING', is_active: false, password_hash: null });
    await own.stop();
  });

  it('whose stranger signed up by a provider loses that sign-in when its owner proves the mailbox by a reset', async () => {
    const email = `${randomUUID()}@example.com`;
    const stranger = claiming(email, { email_verified: false });
    const first = await client.signIn('plain', stranger);
    expect(first.status).toBe(200);
    await service.api('POST', '/auth/password-reset/request', { body: { email } });
    const mails = () => service.mailsTo(email).find(({ subject }) => /reset/i.test(subject));
    await expect.poll(mails).toBeDefined();
    const body = { token: mails()!.token, newPassword: 'a new horse, a new battery' };
    expect((await service.api('POST', '/auth/password-reset/confirm', { body })).status).toBe(200);
    expect((await service.api('GET', '/auth/me', { token: first.data.accessToken })).status).toBe(401);
    // Its address has an account now, so it waits for a sign-in of the owner.
    expect(linkOf(await client.signIn('plain', stranger)).token).toBeDefined();
  });
});

describe('a link that waits', () => {
  async function waiting() {
    const user = await service.createUser();
    const begun = await client.begin('plain');
    const person = claiming(user.email);
    const { token } = linkOf(await client.finish(client.response(begun, person)));
    const { accessToken } = await service.signIn(user);
    const body = { token, verifier: begun.verifier };
    const send = (changes: object = {}, bearer = accessToken) =>
      service.api('POST', '/auth/external/link', { token: bearer, body: { ...body, ...changes } });
    return { user, person, send };
  }

  it('is bound to the verifier of its flow, to its user, and to one use', async () => {
    const { user, send } = await waiting();
    const other = await service.signedIn();
    expect((await send({ verifier: newVerifier() })).status).toBe(401);
    expect((await send({}, other.accessToken)).status).toBe(401);
    expect((await send({ token: 'lkl_unknown' })).status).toBe(401);
    expect((await send()).status).toBe(201);
    expect((await send()).status).toBe(401);
    expect(await identitiesOf(user.id)).toHaveLength(1);
    expect(await identitiesOf(other.id)).toEqual([]);
  });

  it('links once when ten requests arrive at once', async () => {
    const { user, send } = await waiting();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await identitiesOf(user.id)).toHaveLength(1);
  });

  it('ends after 15 minutes, and with a change of the account', async () => {
    const late = await waiting();
    await asLateAs(service, '15 minutes');
    expect((await late.send()).status).toBe(401);
    const changed = await waiting();
    await service.sql('UPDATE users SET token_version = token_version + 1 WHERE id = $1', [changed.user.id]);
    const { accessToken } = await service.signIn(changed.user);
    expect((await changed.send({}, accessToken)).status).toBe(401);
  });

  it('needs a recent sign-in, with the second factor of a user who has one', async () => {
    const user = await service.signedIn();
    await enrol(service, user.accessToken);
    const begun = await client.begin('plain');
    const { token } = linkOf(await client.finish(client.response(begun, claiming(user.email))));
    const answer = await service.api('POST', '/auth/external/link', {
      token: user.accessToken,
      body: { token, verifier: begun.verifier },
    });
    expect(answer).toMatchObject({ status: 401, code: 'reauthentication_required' });
  });
});

describe('a first sign-in without an account', () => {
  it('creates none unless that is on', async () => {
    const own = await startTestService({
      env: externalEnv(provider, { PUBLIC_REGISTRATION_ENABLED: 'true' }),
    });
    const answer = await new ExternalClient(own, provider).signIn('google', googlePerson());
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'registration_disabled']);
    expect(await own.sql('SELECT 1 FROM users')).toEqual([]);
    await own.stop();
  });

  it('obeys the domains that may register', async () => {
    const env = externalEnv(provider, {
      ...OPEN,
      REGISTRATION_APPROVAL: 'none',
      REGISTRATION_DOMAINS: 'example.org',
    });
    const own = await startTestService({ env });
    const elsewhere = new ExternalClient(own, provider);
    const refused = await elsewhere.signIn('plain', claiming('ann@example.com'));
    expect([refused.status, reasonOf(refused)]).toEqual([403, 'email_not_allowed']);
    expect(await own.sql('SELECT 1 FROM users')).toEqual([]);
    expect((await elsewhere.signIn('plain', claiming('ann@example.org'))).status).toBe(200);
    await own.stop();
  });

  it.each([
    ['staff', 'google', 'PENDING', 403, 'pending_approval'],
    ['verified', 'google', 'APPROVED', 200, undefined],
    ['verified', 'plain', 'PENDING', 403, 'pending_approval'],
    ['none', 'plain', 'APPROVED', 200, undefined],
  ] as const)('obeys the approval "%s" for %s: %s', async (approval, connection, status, ...expected) => {
    const own = await startTestService({
      env: externalEnv(provider, { ...OPEN, REGISTRATION_APPROVAL: approval }),
    });
    const person = googlePerson();
    const answer = await new ExternalClient(own, provider).signIn(connection, person);
    expect([answer.status, reasonOf(answer)]).toEqual(expected);
    const [user] = await own.sql('SELECT approval_status, email_verified_at, auth_provider FROM users');
    expect(user?.approval_status).toBe(status);
    expect(user?.email_verified_at === null).toBe(connection === 'plain');
    const kinds = (await own.sql('SELECT kind FROM mail_outbox')).map(({ kind }) => kind);
    expect(kinds.includes('email_verification')).toBe(connection === 'plain');
    await own.stop();
  });

  it('waits for the proof of the mailbox where that is required', async () => {
    const own = await startTestService({
      env: externalEnv(provider, { ...OPEN, EMAIL_VERIFICATION: 'required' }),
    });
    const browser = new ExternalClient(own, provider);
    const answer = await browser.signIn('plain', claiming(`${randomUUID()}@example.com`));
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'email_unverified']);
    expect((await browser.signIn('google', googlePerson())).status).toBe(200);
    await own.stop();
  });

  it('creates one account when the same person signs in twice at once', async () => {
    const person = googlePerson();
    const responses = await Promise.all(
      Array.from({ length: 5 }, async () => client.response(await client.begin('google'), person)),
    );
    const answers = await Promise.all(responses.map((response) => client.finish(response)));
    expect(
      answers
        .map(({ status }) => status)
        .filter((status) => status !== 200 && status !== 409 && status !== 401),
    ).toEqual([]);
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [person.email])).toHaveLength(1);
    expect((await client.signIn('google', person)).status).toBe(200);
  });
});
