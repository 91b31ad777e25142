import { CoreService } from '../../../examples/core-service/core-service.js';
import { mintTokens } from '../minted-token.js';
import { startTestService, type TestService } from '../service.js';
import { TestCompany } from '../test-company.js';
import type { TestUser } from '../test-users.js';
import { signIn } from './account-page.js';
import { beSignedIn } from './people.js';
import type { TestBrowser } from './test-browser.js';
import type { Visitor, VisitOptions } from './visitor.js';

const CORE_KEY = 'key-of-the-core-service';
const PEOPLE = [
  ['Ines Okafor', 'ines.okafor@northwind.example', 'MEMBER'],
  ['Jonas Brandt', 'jonas.brandt@northwind.example', 'ACCOUNTANT'],
  ['Lena Sørensen', 'lena@northwind.example', 'ADMIN'],
] as const;

/** A service with a company that has members, a role and an administrator. */
export interface CompanyService {
  service: TestService;
  core: CoreService;
  company: TestCompany;
  owner: TestUser;
  stop: () => Promise<void>;
}

/** Starts a service with the company Northwind Freight. */
export async function startCompanyService(): Promise<CompanyService> {
  const core = await CoreService.start({ apiKey: CORE_KEY });
  const service = await startTestService({
    env: {
      CORE_BASE_URL: core.url,
      CORE_INTERNAL_API_KEY: CORE_KEY,
      RATE_LIMIT_LOGIN_PER_MINUTE: '1000',
      WEBHOOKS: 'all',
    },
  });
  const company = newCompany({ service, core }, 'Northwind Freight');
  const owner = await addMember(service, company, [
    'Mara Lindqvist',
    'mara@northwind.example',
    'TENANT_SUPERADMIN',
  ]);
  for (const person of PEOPLE) await addMember(service, company, person);
  const stop = async (): Promise<void> => {
    await service.stop();
    await core.stop();
  };
  return { service, core, company, owner, stop };
}

/** Adds a company with a name and some modules. */
export function newCompany(
  { service, core }: Pick<CompanyService, 'service' | 'core'>,
  name: string,
): TestCompany {
  const company = new TestCompany(service);
  core.set(company.id, {
    name,
    modules: ['invoices', 'payroll', 'projects', 'reports'],
    permissions: ['invoices:approve', 'invoices:read'],
  });
  return company;
}

/** Adds a user with a password to a company. */
export async function addMember(
  service: TestService,
  company: TestCompany,
  [fullName, email, role]: readonly [fullName: string, email: string, role: string],
): Promise<TestUser> {
  const user = await service.createUser({ fullName, email });
  await company.join(user.id, { role });
  return user;
}

/** Makes a member one who may invite people with these modules. */
export const delegate = async (
  service: TestService,
  userId: string,
  modules: readonly string[],
): Promise<void> =>
  void (await service.sql(
    `INSERT INTO membership_delegations (membership_id, can_manage_users, grantable_modules)
     SELECT id, true, $2::text[] FROM company_memberships WHERE user_id = $1`,
    [userId, modules],
  ));

interface CompanyVisit {
  browser: TestBrowser;
  service: TestService;
  user: Pick<TestUser, 'id' | 'email' | 'password'>;
  /** The path below `/company` with the fragment. */
  path: string;
  /** True: a session that a machine opened, which has proved nothing lately. */
  isOld?: boolean;
  options?: VisitOptions;
}

/** Opens the page of a company as a user who has signed in by password just now. */
export async function visitCompany(visit: CompanyVisit): Promise<Visitor> {
  const { browser, service, user, path, options, isOld = false } = visit;
  const visitor = await browser.visit(service.publicUrl, options);
  const { page } = visitor;
  await page.goto('/login');
  const { accessToken: token, refreshToken } = await signIn(service, user);
  await beSignedIn(page, isOld ? await mintTokens(service, user.id) : { token, refreshToken });
  await page.goto(`/company${path}`);
  await page.locator('main h1').waitFor();
  return visitor;
}
