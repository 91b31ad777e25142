import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import { runCliHere } from '../support/cli-process.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';

const CORE_KEY = 'key-of-the-core-service';

let core: CoreService;
let service: TestService;
let testClient: OperatorClient;
let company: TestCompany;
let folder: string;

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  const settings = { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY };
  service = await startTestService({ env: settings });
  testClient = new OperatorClient(service, settings);
  folder = await mkdtemp(join(tmpdir(), 'roles-'));
});
afterAll(async () => {
  await service.stop();
  await core.stop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  company = new TestCompany(service);
  core.set(company.id, { modules: ['invoices', 'reports'], accessPolicyMode: 'LEGACY' });
  await service.sql('DELETE FROM company_roles');
});

const run = (...args: string[]) => runCliHere(args, { env: testClient.env });
const file = async (content: unknown): Promise<string> => {
  const path = join(folder, 'roles.json');
  await writeFile(
    path,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
  return path;
};
const accountant = { key: 'ACCOUNTANT', name: 'Accountant', modules: ['invoices'], permissions: ['approve'] };
const stored = () => service.sql('SELECT key, version FROM company_roles ORDER BY key');

describe('latchkey roles', () => {
  it('roles apply shows the differences, and writes with --run only', async () => {
    const path = await file({ roles: [accountant, { ...accountant, key: 'READER', permissions: [] }] });
    const preview = await run('roles', 'apply', path, '--company', company.id);
    expect(preview).toMatchObject({ code: 0 });
    expect(preview.stdout).toBe('ACCOUNTANT\tcreated\tinvoices approve\t\nREADER\tcreated\tinvoices\t\n');
    expect(await stored()).toEqual([]);
    expect(await run('roles', 'apply', path, '--company', company.id, '--run', '--yes')).toMatchObject({
      code: 0,
    });
    expect(await stored()).toMatchObject([{ key: 'ACCOUNTANT' }, { key: 'READER' }]);
    const again = await run('roles', 'apply', path, '--company', company.id, '--run', '--quiet');
    expect(again).toMatchObject({ code: 0, stdout: '' });
    const [row] = await service.sql(`SELECT actor FROM auth_audit_logs WHERE event = 'role_created' LIMIT 1`);
    expect(row?.actor).toMatch(/^cli:/);
  });

  it('roles apply reads a file that begins with a byte order mark', async () => {
    const path = await file(`\uFEFF${JSON.stringify({ roles: [accountant] })}`);
    const { code, stdout } = await run('roles', 'apply', path);
    expect([code, stdout]).toEqual([0, 'ACCOUNTANT\tcreated\tinvoices approve\t\n']);
  });

  it('roles apply refuses a file that is not UTF-8, whose names would get other characters', async () => {
    const path = await file(
      Buffer.from(JSON.stringify({ roles: [{ ...accountant, name: 'Büro' }] }), 'latin1'),
    );
    const { code, stderr } = await run('roles', 'apply', path, '--run', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('roles.json is not UTF-8.')]);
  });

  it('roles apply refuses a file that is no JSON, names a key twice or a reserved one', async () => {
    expect((await run('roles', 'apply', await file('{'))).code).toBe(1);
    const twice = await run('roles', 'apply', await file({ roles: [accountant, accountant] }));
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain('must name each key once');
    expect((await run('roles', 'apply', await file({ roles: [{ ...accountant, key: 'ADMIN' }] }))).code).toBe(
      1,
    );
  });

  it('roles apply refuses an object that has a field twice, of which one would be ignored', async () => {
    const text = JSON.stringify({ roles: [accountant] }).replace(
      '"modules"',
      '"modules":["reports"],"modules"',
    );
    const { code, stderr } = await run('roles', 'apply', await file(text), '--run', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('has a field twice; remove one of the two.')]);
    expect(await stored()).toEqual([]);
  });

  it('roles list and show name those of a company and the templates, also earlier ones', async () => {
    await run('roles', 'apply', await file({ roles: [accountant] }), '--run', '--yes');
    await run('roles', 'apply', await file({ roles: [{ ...accountant, modules: [] }] }), '--run', '--yes');
    const listed = await run('roles', 'list', '--company', company.id);
    expect(listed.stdout).toBe('ACCOUNTANT\tAccountant\ttemplate\t\tapprove\t0\t2\n');
    expect((await run('roles', 'show', 'ACCOUNTANT')).stdout).toContain('version\t2');
    await service.sql(
      `UPDATE company_role_revisions SET valid_from = '2026-01-01', valid_until = '2026-02-01' WHERE version = 1`,
    );
    const earlier = await run('roles', 'show', 'ACCOUNTANT', '--at', '2026-01-15', '--json');
    expect(JSON.parse(earlier.stdout)).toMatchObject({ version: 1, modules: ['invoices'] });
    expect((await run('roles', 'show', 'ACCOUNTANT', '--at', '2025-01-15')).code).toBe(3);
    expect((await run('roles', 'show', 'READER')).code).toBe(3);
  });

  it('roles remove moves members, and refuses to leave them without restriction', async () => {
    const user = await service.createUser();
    await company.join(user.id, { role: 'ACCOUNTANT' });
    await run(
      'roles',
      'apply',
      await file({ roles: [accountant] }),
      '--company',
      company.id,
      '--run',
      '--yes',
    );
    const remove = ['roles', 'remove', 'ACCOUNTANT', '--company', company.id, '--yes'];
    const refused = await run(...remove);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('1 member has this role.');
    expect(await run(...remove, '--move-to', 'MEMBER', '--json')).toMatchObject({ code: 0 });
    expect(await stored()).toEqual([]);
  });

  it('access diff compares the members of a role, and access explain names the role', async () => {
    const user = await service.createUser();
    await company.join(user.id, { role: 'ACCOUNTANT' });
    const path = await file({ name: 'Accountant', modules: ['invoices'], permissions: ['approve'] });
    const diff = ['access', 'diff', '--company', company.id, '--role', 'ACCOUNTANT', '--file', path];
    expect((await run(...diff)).stdout).toBe(`${user.id}\treports\tapprove\n`);
    expect((await run(...diff, '--fail-on-loss')).code).toBe(1);
    expect((await run(...diff.slice(0, 6))).code).toBe(2);
    await run(
      'roles',
      'apply',
      await file({ roles: [accountant] }),
      '--company',
      company.id,
      '--run',
      '--yes',
    );
    const { stdout } = await run('access', 'explain', user.email, '--company', company.id);
    expect(stdout).toContain(
      'invoices\tyes\tgranted\tthe company is entitled; role Accountant (ACCOUNTANT) has it',
    );
    expect(stdout).toContain('the role Accountant (ACCOUNTANT) does not have it');
    expect(stdout).toContain('approve\tyes\tgranted_by_role\trole Accountant (ACCOUNTANT) has it');
  });
});
