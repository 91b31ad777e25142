import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { actingCode } from './acting.js';
import { ApiKeyClient, madeKeyOf } from './api-key-client.js';
import { AuthenticatorApp, challengeOf, enrolledUser, signInWithCode } from './authenticator-app.js';
import { DeletionClient } from './deletion-client.js';
import { EmailChangeClient } from './email-change-client.js';
import { ExternalClient, externalEnv, newVerifier, s256Of } from './external-client.js';
import { HostileProvider } from './hostile-provider.js';
import { InvitationClient, freshEmail } from './invitation-client.js';
import { MailedSignInClient } from './mailed-sign-in-client.js';
import { asSignedInByPassword, signedInUser } from './minted-token.js';
import { OFFERED_ENV } from './offered-env.js';
import { passkeysOf, registerPasskey, registrationOptions, signInOptions } from './passkey-client.js';
import { PictureClient } from './picture-client.js';
import { PICTURES } from './pictures.js';
import { registerWithLink } from './registration-client.js';
import { ResetClient, NEW_PASSWORD } from './reset-client.js';
import type { TestService } from './service.js';
import { SoftwareAuthenticator } from './software-authenticator.js';
import { TestCompany } from './test-company.js';

/** The parameters that paths of routes have. */
export type PathParameter =
  | 'id'
  | 'companyId'
  | 'businessUnitId'
  | 'userId'
  | 'passkeyId'
  | 'keyId'
  | 'deliveryId'
  | 'key';

/** Everything that a route with a body needs to succeed, made for one request. */
export interface BodyFixture {
  /** Well-meant, but in no spelling that is stored: spaces, capitals, empty texts, unknown fields. */
  body: Record<string, unknown>;
  /** An access token, where the caller must be signed in. */
  token?: string;
  company?: string;
  path?: Partial<Record<PathParameter, string>>;
  /** The user that a machine names when it writes to the finance workflow. */
  actorUserId?: string;
}

const CLIENT = { id: 'billing', secret: 'the secret of the billing service' };

/** The provider of every service that plays the fixtures. */
const PROVIDER = await HostileProvider.start();

/** Settings of a service in which every fixture can be played. */
export const FIXTURE_ENV = {
  ...OFFERED_ENV,
  EXTERNAL_PROVIDERS: externalEnv(PROVIDER).EXTERNAL_PROVIDERS ?? '',
  // The document allows every lifetime that the setting can allow.
  API_KEY_MAX_LIFETIME: 'none',
  MINT_MAX_LIFETIME: '12h',
  REGISTRATION_APPROVAL: 'verified',
  SERVICE_CLIENTS: JSON.stringify([
    {
      id: CLIENT.id,
      secretHashes: [`sha256:${createHash('sha256').update(CLIENT.secret).digest('hex')}`],
      audiences: ['latchkey'],
      scopes: ['internal:read'],
    },
  ]),
};

const sloppy = (email: string): string => `  ${email.toUpperCase()}\t`;
const capitals = (id: string): string => id.toUpperCase();

type MakeFixture = (service: TestService) => Promise<BodyFixture>;

const ownSession: MakeFixture = async (service) => {
  const { refreshToken } = await signedInUser(service);
  return { body: { refreshToken, unknown: 1 } };
};

const newUser = async (service: TestService): Promise<BodyFixture> => {
  const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
  return {
    token: staff.token,
    body: { email: sloppy(freshEmail()), fullName: ' Eve ', phonePrefix: '', id: 1 },
  };
};

const changedUser = async (service: TestService): Promise<BodyFixture> => {
  const [staff, user] = [
    await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' }),
    await service.createUser(),
  ];
  return {
    token: staff.token,
    path: { id: capitals(user.id) },
    body: { fullName: ' Eve ', phoneNumber: '' },
  };
};

const spaced = (code: string): string => ` ${code.slice(0, 3)} ${code.slice(3)}`;

/** The challenge of a sign-in that must set up a factor, as a service issues it that requires one of everyone. */
async function challengeToEnrol(service: TestService): Promise<string> {
  const { id } = await service.createUser();
  const challenge = `lkc_${randomBytes(32).toString('base64url')}`;
  await service.sql(
    `INSERT INTO second_factor_challenges (id, user_id, challenge_digest, origin, token_version, password_digest,
       factor_version, enrols, expires_at)
     SELECT gen_random_uuid(), id, sha256(convert_to($2, 'UTF8')), 'password', token_version,
       sha256(convert_to(password_hash, 'UTF8')), factor_version, true, now() + interval '5 minutes'
     FROM users WHERE id = $1`,
    [id, challenge],
  );
  return challenge;
}

interface Place {
  token: string;
  actorUserId: string;
  path: { companyId: string; businessUnitId: string; userId: string };
}

/** An administrator of a company, and a member of one of its business units. */
async function place(service: TestService): Promise<Place> {
  const company = new TestCompany(service);
  const admin = await company.member({ role: 'TENANT_SUPERADMIN' });
  const { id: userId } = await service.createUser();
  await company.join(userId, { unit: company.unit });
  const path = {
    companyId: capitals(company.id),
    businessUnitId: capitals(company.unit),
    userId: capitals(userId),
  };
  return { token: admin.token, actorUserId: capitals(admin.id), path };
}

const finance =
  (body: Record<string, unknown>): MakeFixture =>
  async (service) => ({ ...(await place(service)), body });

const membership =
  (body: Record<string, unknown>): MakeFixture =>
  async (service) => {
    const fixture = await place(service);
    return { ...fixture, body: { ...body, userId: fixture.path.userId } };
  };

const ownKeyToMake: MakeFixture = async (service) => {
  const { token } = asSignedInByPassword(await signedInUser(service));
  return { token, body: { name: ' Key ', modules: ['crm', 'crm'], unknown: 1 } };
};

/** A user with an API key. */
const ownKey =
  (body: Record<string, unknown>): MakeFixture =>
  async (service) => {
    const { token } = asSignedInByPassword(await signedInUser(service));
    const { id } = await new ApiKeyClient(service).made(token);
    return { token, path: { id: capitals(id) }, body };
  };

/** A key of the company of the fixture. */
const companyKey =
  (body: Record<string, unknown>): MakeFixture =>
  async (service) => {
    const company = new TestCompany(service);
    const { token } = asSignedInByPassword(await company.member({ role: 'ADMIN' }));
    const made = await company.machine('POST', '/api-keys', { name: 'ERP', modules: [], permissions: [] });
    const { id } = madeKeyOf(made);
    return { token, path: { companyId: capitals(company.id), id: capitals(id) }, body };
  };

const ROLE = { name: ' Accountant ', modules: ['crm', 'crm'], permissions: [], id: 'x' };

/** A defined role of a company, or a template, without members. */
const definedRole =
  (ofCompany: boolean, body: Record<string, unknown>): MakeFixture =>
  async (service) => {
    const { path, token, actorUserId } = await place(service);
    const staff = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const key = `ROLE_${randomBytes(4).toString('hex').toUpperCase()}`;
    const owner = ofCompany ? `/companies/${path.companyId}` : '';
    await service.machine('PUT', `/internal/admin${owner}/roles/${key}`, { body: ROLE });
    const user = asSignedInByPassword({ token: ofCompany ? token : staff.token });
    return { ...user, actorUserId, company: path.companyId, path: { ...path, key }, body };
  };

const roles = (prefix: string, ofCompany: boolean): Record<string, MakeFixture> => ({
  [`PUT ${prefix}/roles/{key}`]: definedRole(ofCompany, ROLE),
  [`DELETE ${prefix}/roles/{key}`]: definedRole(ofCompany, { moveTo: 'MEMBER', id: 'x' }),
  [`POST ${prefix}/roles/{key}/preview`]: definedRole(ofCompany, ROLE),
});

const management = (users: string, companies: string): Record<string, MakeFixture> => ({
  [`POST ${users}`]: newUser,
  [`PATCH ${users}/{id}`]: changedUser,
  [`DELETE ${users}/{id}/factors`]: async (service) => ({
    ...(await changedUser(service)),
    body: { reason: ' Lost phone ', id: 'x' },
  }),
  [`DELETE ${users}/{id}/picture`]: async (service) => {
    const owner = await signedInUser(service);
    await new PictureClient(service).kept(owner.token, PICTURES.png);
    return { path: { id: capitals(owner.id) }, body: { reason: ' Shows another person ', id: 'x' } };
  },
  [`DELETE ${users}/{id}/personal-data`]: async (service) => ({
    ...(await changedUser(service)),
    body: { reason: ' Request 4711 ', id: 'x' },
  }),
  [`POST ${companies}/api-keys`]: async (service) => ({
    ...(await companyKey({})(service)),
    body: { name: ' ERP ', modules: ['crm', 'crm'], permissions: [], unknown: 1 },
  }),
  [`PATCH ${companies}/api-keys/{id}`]: companyKey({ name: ' Key ', unknown: 1 }),
  [`POST ${companies}/api-keys/{id}/rotate`]: companyKey({ overlap: 60, unknown: 1 }),
  [`POST ${companies}/memberships`]: membership({ moduleGrants: ['crm', 'crm'], permissionGrants: [] }),
  [`POST ${companies}/business-units/{businessUnitId}/memberships`]: membership({
    isActive: true,
    role: 'X',
  }),
  [`PATCH ${companies}/business-units/{businessUnitId}/finance-memberships/{userId}`]: finance({
    financeRole: 'APPROVER',
    isPrimaryApprover: true,
    approvalLimit: '007.50',
  }),
  [`PATCH ${companies}/finance-memberships/{userId}`]: finance({ isPrimaryFinanceAdmin: true, id: 'x' }),
  [`PATCH ${companies}/company-approval-limit/{userId}`]: finance({
    approvalLimit: '1',
    financeRole: 'APPROVER',
  }),
});

const HOOK_URL = 'http://localhost:9/hooks';

/** The routes of webhooks, of the platform or of a company. */
const webhookFixtures = (prefix: string, isOfCompany: boolean): Record<string, MakeFixture> => {
  const owner = async (
    service: TestService,
  ): Promise<Omit<BodyFixture, 'body'> & { companyId: string | null }> => {
    if (isOfCompany) {
      const { token, path } = await place(service);
      return { token, path: { companyId: path.companyId }, companyId: path.companyId };
    }
    await service.sql('DELETE FROM webhook_endpoints WHERE company_id IS NULL', []);
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    return { token, companyId: null };
  };
  const one =
    (body: Record<string, unknown>): MakeFixture =>
    async (service) => {
      const { companyId, ...fixture } = await owner(service);
      const administrator = { kind: 'operator', name: 'fixture' } as const;
      const input = { url: HOOK_URL, events: ['*' as const] };
      const { webhook } = await service.auth.admin.webhooks.create({ administrator, companyId }, input);
      return { ...fixture, path: { ...fixture.path, id: capitals(webhook.id) }, body };
    };
  return {
    [`POST ${prefix}`]: async (service) => {
      const { companyId: _companyId, ...fixture } = await owner(service);
      return {
        ...fixture,
        body: { url: HOOK_URL, events: ['invitation.created'], description: ' Ours ', id: 'x' },
      };
    },
    [`PATCH ${prefix}/{id}`]: one({ description: ' Ours ', isActive: true, secret: 'x' }),
    [`POST ${prefix}/{id}/rotate-secret`]: one({ overlap: '1h', secret: 'x' }),
    [`POST ${prefix}/{id}/replay`]: one({
      from: new Date(Date.now() - 86_400_000).toISOString(),
      to: new Date(Date.now() - 80_000_000).toISOString(),
      events: 'x',
    }),
  };
};

/** A fixture for every route that takes a body, by `METHOD path`. */
export const BODY_FIXTURES: Readonly<Record<string, MakeFixture>> = {
  'POST /auth/register': () =>
    Promise.resolve({
      body: {
        email: sloppy(freshEmail()),
        password: NEW_PASSWORD,
        fullName: ' Ada ',
        phoneNumber: '',
        role: 'X',
      },
    }),
  'POST /auth/login': async (service) => {
    const { email, password } = await service.createUser();
    return { body: { email: sloppy(email), password, accountType: '' } };
  },
  'POST /auth/refresh': ownSession,
  'POST /auth/logout': ownSession,
  'POST /auth/password-reset/request': async (service) => {
    const { email } = await service.createUser();
    return { body: { email: sloppy(email), accountType: 'auto' } };
  },
  'POST /auth/password-reset/confirm': async (service) => {
    const { token } = await new ResetClient(service).userWithToken();
    return { body: { token, newPassword: NEW_PASSWORD } };
  },
  'POST /auth/email/verify': async (service) => {
    const { token } = await registerWithLink(service);
    return { body: { token, password: NEW_PASSWORD, unknown: 1 } };
  },
  'POST /auth/email/verify/preview': async (service) => {
    const { token } = await registerWithLink(service);
    return { body: { token, unknown: 1 } };
  },
  'POST /auth/email/verify/resend': async (service) => {
    const { email } = await registerWithLink(service);
    return { body: { email: sloppy(email), unknown: 1 } };
  },
  'POST /auth/email/verify/reject': async (service) => {
    const { rejection } = await registerWithLink(service);
    return { body: { token: rejection, unknown: 1 } };
  },
  'POST /auth/email/change': async (service) => {
    const { accessToken } = await service.signedIn();
    return { token: accessToken, body: { newEmail: sloppy(freshEmail()), unknown: 1 } };
  },
  'POST /auth/email/change/preview': async (service) => {
    const { accessToken } = await service.signedIn();
    const { token } = await new EmailChangeClient(service).requested(accessToken);
    return { body: { token, unknown: 1 } };
  },
  'POST /auth/email/change/undo/preview': async (service) => {
    const { undo } = await new EmailChangeClient(service).changed(await service.signedIn());
    return { body: { token: undo, unknown: 1 } };
  },
  'POST /auth/email/change/confirm': async (service) => {
    const { accessToken } = await service.signedIn();
    const { token } = await new EmailChangeClient(service).requested(accessToken);
    return { body: { token, unknown: 1 } };
  },
  'POST /auth/email/change/undo': async (service) => {
    const { undo } = await new EmailChangeClient(service).changed(await service.signedIn());
    return { body: { token: undo, unknown: 1 } };
  },
  'POST /auth/me/deletion/undo': async (service) => {
    const { token } = await new DeletionClient(service).requested(await service.signedIn());
    return { body: { token, unknown: 1 } };
  },
  'POST /auth/me/deletion/undo/send': async (service) => {
    const { email } = await service.createUser();
    return { body: { email: sloppy(email), unknown: 1 } };
  },
  'PATCH /auth/me': async (service) => {
    const { token } = await signedInUser(service);
    return { token, body: { fullName: ' Grace\u3000', phonePrefix: '', globalRole: 'PLATFORM_ADMIN' } };
  },
  'PUT /auth/me/picture': async (service) => {
    const { token } = await signedInUser(service);
    return { token, body: { content: PICTURES.lossless.toString('base64'), contentType: 'image/svg+xml' } };
  },
  'POST /auth/password/change': async (service) => {
    const { token, password } = await signedInUser(service);
    return { token, body: { currentPassword: password, newPassword: NEW_PASSWORD } };
  },
  'POST /auth/step-up': async (service) => {
    const { token, password } = await signedInUser(service);
    return { token, body: { password, unknown: 1 } };
  },
  'POST /auth/step-up/options': async (service) => {
    const owner = await signedInUser(service);
    await registerPasskey(service, owner, new SoftwareAuthenticator());
    return { token: owner.token, body: { unknown: 1 } };
  },
  'POST /auth/api-keys': ownKeyToMake,
  'PATCH /auth/api-keys/{id}': ownKey({ name: ' Key ', unknown: 1 }),
  'POST /auth/api-keys/{id}/rotate': ownKey({ overlap: 60, unknown: 1 }),
  'POST /internal/api-keys/verify': async (service) => {
    const { token } = asSignedInByPassword(await signedInUser(service));
    const { key } = await new ApiKeyClient(service).made(token);
    return { body: { apiKey: key, unknown: 1 } };
  },
  'POST /auth/invitations': async (service) => {
    const { admin, company } = await InvitationClient.open(service);
    const body = { email: sloppy(freshEmail()), moduleGrants: [], metadata: { companyName: 'Acme' } };
    return { token: admin.token, company: capitals(company), body };
  },
  'POST /auth/invitations/accept': async (service) => {
    const { token } = await (await InvitationClient.open(service)).invite();
    return { body: { token, password: NEW_PASSWORD, fullName: ' Grace ' } };
  },
  'POST /auth/passkeys/register/options': async (service) => {
    const { token, password } = await signedInUser(service);
    return { token, body: { currentPassword: password } };
  },
  'POST /auth/passkeys/register/verify': async (service) => {
    const owner = await signedInUser(service);
    const credential = await new SoftwareAuthenticator().register(await registrationOptions(service, owner));
    return { token: owner.token, body: { credential, name: ' My key ' } };
  },
  'POST /auth/passkeys/login/options': () => Promise.resolve({ body: { unknown: 1 } }),
  'POST /auth/passkeys/login/verify': async (service) => {
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, await signedInUser(service), authenticator);
    return { body: { credential: await authenticator.authenticate(await signInOptions(service)) } };
  },
  'PATCH /auth/passkeys/{id}': async (service) => {
    const owner = await signedInUser(service);
    await registerPasskey(service, owner, new SoftwareAuthenticator());
    const [id = ''] = await passkeysOf(service, owner);
    return { token: owner.token, path: { id: capitals(id) }, body: { name: ' My key ' } };
  },
  'POST /auth/login/second-factor': async (service) => {
    const user = await enrolledUser(service);
    const { challenge } = await challengeOf(service, user);
    return { body: { challenge, code: spaced(user.app.next()), unknown: 1 } };
  },
  'POST /auth/login/second-factor/enrol': async (service) => ({
    body: { challenge: await challengeToEnrol(service), name: ' My phone ' },
  }),
  'POST /auth/login/second-factor/enrol/confirm': async (service) => {
    const challenge = await challengeToEnrol(service);
    const { data } = await service.api('POST', '/auth/login/second-factor/enrol', { body: { challenge } });
    const { id = '', secret = '' } = data as unknown as Record<string, string>;
    return { body: { challenge, id: capitals(id), code: spaced(new AuthenticatorApp(secret).next()) } };
  },
  'POST /auth/factors/totp': async (service) => {
    const { accessToken: token } = await service.signedIn();
    return { token, body: { name: ' My phone ', secret: 'mine' } };
  },
  'POST /auth/factors/totp/{id}/confirm': async (service) => {
    const { accessToken: token } = await service.signedIn();
    const { data } = await service.api('POST', '/auth/factors/totp', { token });
    const { id = '', secret = '' } = data as unknown as Record<string, string>;
    const code = spaced(new AuthenticatorApp(secret).next());
    return { token, path: { id: capitals(id) }, body: { code, id: 'x' } };
  },
  'POST /auth/factors/recovery-codes': async (service) => {
    const { accessToken: token } = await signInWithCode(service, await enrolledUser(service));
    return { token, body: { unknown: 1 } };
  },
  'POST /auth/login/mail': async (service) => {
    const { email } = await service.createUser();
    return { body: { email: sloppy(email), challenge: s256Of(newVerifier()), unknown: 1 } };
  },
  'POST /auth/login/mail/finish': async (service) => {
    const { verifier, code } = await new MailedSignInClient(service).userWithMail();
    return { body: { verifier, code: spaced(code.toLowerCase()), unknown: 1 } };
  },
  // GitHub needs no request to the provider at the start.
  'POST /auth/external/start': () =>
    Promise.resolve({ body: { connectionId: 'github', challenge: s256Of(newVerifier()), unknown: 1 } }),
  'POST /auth/external/finish': async (service) => {
    const { accessToken: token } = await service.signedIn();
    const external = new ExternalClient(service, PROVIDER);
    const begun = await external.begin('plain', { purpose: 'link' }, token);
    const response = external.response(begun, { sub: randomUUID(), email: 'ada@plain.example' });
    return { token, body: { ...response, unknown: 1 } };
  },
  'POST /auth/external/link': async (service) => {
    const { accessToken: token, email } = await service.signedIn();
    const external = new ExternalClient(service, PROVIDER);
    const begun = await external.begin('plain');
    const { data } = await external.finish(external.response(begun, { sub: randomUUID(), email }));
    const { token: linkToken } = data.link as { token: string };
    return { token, body: { token: linkToken, verifier: begun.verifier, unknown: 1 } };
  },
  'POST /auth/handoff/exchange': async (service) => {
    const company = new TestCompany(service);
    const { token } = await company.member();
    const headers = { 'x-org': company.id };
    const { data } = await service.api('POST', '/auth/handoff/create', { token, headers });
    return { body: { code: data.code, unknown: randomUUID() } };
  },
  'POST /auth/acting/exchange': async (service) => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const { data } = await actingCode(service, token, (await service.createUser()).id);
    return { body: { code: data.code, unknown: randomUUID() } };
  },
  'POST /internal/users/{id}/acting-codes': async (service) => {
    const { token } = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const { id } = await service.createUser();
    return { token, path: { id: capitals(id) }, body: { reason: ' Ticket 4711 ', minutes: 30, unknown: 1 } };
  },
  'POST /auth/service-token': () =>
    Promise.resolve({ body: { clientId: CLIENT.id, clientSecret: CLIENT.secret, scope: ' internal:read ' } }),
  'POST /internal/admin/users/{id}/sessions': async (service) => {
    const [staff, user] = [await service.createUser({ role: 'PLATFORM_ADMIN' }), await service.createUser()];
    const body = { actorUserId: capitals(staff.id), reason: ' Ticket 4711 ', unknown: 1 };
    return { path: { id: capitals(user.id) }, body };
  },
  ...management('/internal/users', '/internal/companies/{companyId}'),
  ...roles('/internal/companies/{companyId}', true),
  ...roles('/internal/admin/companies/{companyId}', true),
  ...roles('/internal', false),
  ...roles('/internal/admin', false),
  ...management('/internal/admin/users', '/internal/admin/companies/{companyId}'),
  ...webhookFixtures('/internal/webhooks', false),
  ...webhookFixtures('/internal/admin/webhooks', false),
  ...webhookFixtures('/internal/companies/{companyId}/webhooks', true),
};
