import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestAuth, type TestAuth, type TestUser } from '@latchkey/testing';
import { CompanyRepository } from './companies/company-repository.js';
import { companyRules } from './company-rules.js';
import { assemble, type Invoicing } from './invoicing.js';
import { applySchema } from './schema.js';

const COMPANY = '0b8f3a52-6d0e-4b58-9a55-1f2b8e0c7a01';
const OTHER = '4c1d9e77-2f3a-4e6b-8b1c-9d5e6f7a8b02';
const INVOICE = { customer: 'Harbour Master', cents: 4_800 };

let kit: TestAuth;
let invoicing: Invoicing;
let server: Server;

beforeAll(async () => {
  kit = await createTestAuth({
    databaseUrl: inject('postgres').url,
    before: companyRules({ find: (id) => invoicing.companies.find(id) }).before,
  });
  const pool = new pg.Pool({ connectionString: kit.databaseUrl });
  await applySchema(pool);
  invoicing = assemble(kit.auth, pool, new CompanyRepository(pool));
  for (const id of [COMPANY, OTHER]) {
    await invoicing.companies.add({
      id,
      name: `Company ${id}`,
      plan: 'full',
      mailDomain: 'nordwind.example',
    });
  }
  server = invoicing.app.listen(0);
});

afterAll(async () => {
  server.close();
  await invoicing.close();
  await kit.close();
});

const writer = (): Promise<TestUser> => kit.user({ company: COMPANY, modules: ['invoicing'] });
const approver = (): Promise<TestUser> =>
  kit.user({ company: COMPANY, modules: ['invoicing'], permissions: ['invoices.approve'] });

async function call(method: string, path: string, { headers }: Partial<TestUser> = {}, body?: unknown) {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
}

const write = (user: TestUser, invoice: unknown = INVOICE) => call('POST', '/api/invoices', user, invoice);

describe('invoices', () => {
  it('invoices can be written and read by members of the company who have the module', async () => {
    const user = await writer();
    const written = await write(user);
    expect(written).toMatchObject({
      status: 201,
      body: { ...INVOICE, createdBy: user.id, approvedBy: null },
    });
    const { body } = await call('GET', '/api/invoices', user);
    expect(body).toMatchObject({ mayApprove: false });
    expect(body.invoices).toContainEqual(written.body);
  });

  it('invoices written at the same time get consecutive, unique numbers', async () => {
    const user = await writer();
    const numbers = await Promise.all(
      Array.from({ length: 20 }, async () => Number((await write(user)).body.number)),
    );
    const first = Math.min(...numbers);
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => first + index));
  });

  it('invoices of one company cannot be read by members of another', async () => {
    const user = await writer();
    const elsewhere = { headers: { ...user.headers, 'x-org': OTHER } };
    expect(await call('GET', '/api/invoices', elsewhere)).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
  });

  it('invoices require the module', async () => {
    const user = await kit.user({ company: COMPANY, modules: [] });
    expect((await call('GET', '/api/invoices', user)).status).toBe(403);
  });

  it.each([
    [{ ...INVOICE, cents: 0 }, 'cents: must be more than nothing'],
    [{ ...INVOICE, customer: ' ' }, 'customer: is empty'],
    [{}, 'customer: '],
  ])('%j is rejected as an invoice', async (invoice, reason) => {
    const { status, body } = await write(await writer(), invoice);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(reason) as string,
    });
  });
});

describe('approving', () => {
  it('approving an invoice requires the permission and succeeds once', async () => {
    const { id } = (await write(await writer())).body;
    expect((await call('POST', `/api/invoices/${String(id)}/approve`, await writer())).status).toBe(403);
    const user = await approver();
    const approved = await call('POST', `/api/invoices/${String(id)}/approve`, user);
    expect(approved).toMatchObject({ status: 200, body: { approvedBy: user.id } });
    expect((await call('POST', `/api/invoices/${String(id)}/approve`, user)).status).toBe(409);
  });

  it('approving an invoice requires a sign-in within the last five minutes', async () => {
    const { id } = (await write(await writer())).body;
    const user = await approver();
    await kit.clock.advance('6m');
    expect(await call('POST', `/api/invoices/${String(id)}/approve`, user)).toMatchObject({
      status: 401,
      body: { error: { code: 'reauthentication_required' } },
    });
  });
});

describe('people', () => {
  it('a signed-in user sees their profile and companies', async () => {
    const user = await writer();
    const { body } = await call('GET', '/api/me', user);
    expect(body).toMatchObject({ email: user.email, companies: [{ id: COMPANY, role: 'MEMBER' }] });
  });

  it('a request without a session gets no data', async () => {
    expect(await call('GET', '/api/me')).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' } },
    });
    const user = await writer();
    await kit.auth.sessions.logout(user.refreshToken);
    expect(await call('GET', '/api/me', user)).toMatchObject({
      status: 401,
      body: { error: { code: 'session_revoked' } },
    });
  });

  it('staff of the platform see all companies, other users do not', async () => {
    const staff = await kit.user({ globalRole: 'PLATFORM_ADMIN' });
    expect((await call('GET', '/api/companies', staff)).body).toHaveLength(2);
    expect((await call('GET', '/api/companies', await writer())).status).toBe(403);
  });
});

describe('colleagues', () => {
  it('invitations are limited to the company’s mail domain and appear in its activity', async () => {
    const boss = await kit.user({ company: COMPANY, role: 'ADMIN', modules: ['invoicing'] });
    const invite = (email: string) => call('POST', '/auth/invitations', boss, { email });
    expect(await invite('bo@elsewhere.example')).toMatchObject({
      status: 400,
      body: { error: { message: 'email: must be an address at nordwind.example' } },
    });
    expect((await invite('bo@nordwind.example')).status).toBe(201);
    await expect
      .poll(async () => (await call('GET', '/api/activity', boss)).body)
      .toContainEqual(expect.objectContaining({ message: 'A colleague was invited.' }));
  });
});
