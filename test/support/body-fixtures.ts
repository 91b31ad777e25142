import { createHash, randomUUID } from 'node:crypto';
import { InvitationClient, freshEmail } from './invitation-client.js';
import { signedInUser } from './minted-token.js';
import {
  PASSKEY_ENV,
  passkeysOf,
  registerPasskey,
  registrationOptions,
  signInOptions,
} from './passkey-client.js';
import { registerWithLink } from './registration-client.js';
import { ResetClient, NEW_PASSWORD } from './reset-client.js';
import type { TestService } from './service.js';
import { SoftwareAuthenticator } from './software-authenticator.js';
import { TestCompany } from './test-company.js';

/** The parameters that paths of routes have. */
export type PathParameter = 'id' | 'companyId' | 'businessUnitId' | 'userId';

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

/** Settings of a service in which every fixture can be played. */
export const FIXTURE_ENV = {
  ...PASSKEY_ENV,
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

const management = (users: string, companies: string): Record<string, MakeFixture> => ({
  [`POST ${users}`]: newUser,
  [`PATCH ${users}/{id}`]: changedUser,
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
  'PATCH /auth/me': async (service) => {
    const { token } = await signedInUser(service);
    return { token, body: { fullName: ' Grace\u3000', phonePrefix: '', globalRole: 'PLATFORM_ADMIN' } };
  },
  'POST /auth/password/change': async (service) => {
    const { token, password } = await signedInUser(service);
    return { token, body: { currentPassword: password, newPassword: NEW_PASSWORD } };
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
  'POST /auth/handoff/exchange': async (service) => {
    const company = new TestCompany(service);
    const { token } = await company.member();
    const headers = { 'x-org': company.id };
    const { data } = await service.api('POST', '/auth/handoff/create', { token, headers });
    return { body: { code: data.code, unknown: randomUUID() } };
  },
  'POST /auth/service-token': () =>
    Promise.resolve({ body: { clientId: CLIENT.id, clientSecret: CLIENT.secret, scope: ' internal:read ' } }),
  ...management('/internal/users', '/internal/companies/{companyId}'),
  ...management('/internal/admin/users', '/internal/admin/companies/{companyId}'),
};
