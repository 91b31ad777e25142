import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { AuthError, type AuthEvent, type OwnRows, type OwnTransaction } from '@latchkey/core';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { operate } from '../support/operations.js';

const OPERATOR = { kind: 'operator', name: 'tests' } as const;
const COMPANY = '018f4e6e-0000-7000-8000-00000000000a';

let kit: TestAuth;
let sql: pg.Pool;
const log: { level: string; message: string; function?: string }[] = [];
/** What a logger prints of each line when it gets it. */
const printed: string[] = [];
const heard: string[] = [];
/** What the functions do in a test. */
let act: (name: string, event: AuthEvent, trx: OwnTransaction) => unknown;

const NAMES = ['registration', 'approval', 'invitationAccepted', 'membershipChanged', 'userErased'] as const;

beforeAll(async () => {
  const within = Object.fromEntries(
    NAMES.map((name) => [name, (event: AuthEvent, trx: OwnTransaction) => act(name, event, trx)]),
  ) as OwnRows;
  const level = (name: string) => (details: object, message: string) => {
    log.push({ level: name, message, ...details });
    printed.push(inspect(details, { depth: null }));
  };
  const logger = { debug: () => undefined, info: level('info'), warn: level('warn'), error: level('error') };
  kit = await createTestAuth({
    databaseUrl: inject('postgres').url,
    settings: { REGISTRATION_APPROVAL: 'staff', EMAIL_VERIFICATION: 'offer' },
    within,
    logger,
  });
  kit.auth.on('*', ({ event }) => void heard.push(event));
  sql = new pg.Pool({ connectionString: kit.databaseUrl, max: 2 });
  kit.onClose(() => sql.end());
  await sql.query(
    'CREATE TABLE own_rows (name text, event text, user_id uuid REFERENCES users (id), company_id uuid)',
  );
});
beforeEach(async () => {
  await sql.query('DELETE FROM own_rows');
  log.length = 0;
  printed.length = 0;
  heard.length = 0;
  act = note;
});
afterAll(() => kit.close());

const note = (name: string, { event, subjectUserId, companyId }: AuthEvent, trx: OwnTransaction) =>
  trx.query('INSERT INTO own_rows VALUES ($1, $2, $3, $4)', [name, event, subjectUserId, companyId]);

const ownRows = async () =>
  (await sql.query<Record<string, unknown>>('SELECT * FROM own_rows ORDER BY name, event')).rows;

/** What JavaScript may throw beside errors. */
const NO_ERROR = 'no' as unknown as Error;

const approve = (id: string) =>
  kit.auth.admin.users.patch(OPERATOR, id, { approvalStatus: 'APPROVED', isActive: true });

/** What a rolled back change must leave as it was. */
const stateOf = async (id: string): Promise<unknown> =>
  (
    await sql.query(
      `SELECT row_to_json(u) AS user, (SELECT json_agg(s) FROM sessions s WHERE s.user_id = u.id) AS sessions,
         (SELECT count(*) FROM company_memberships m WHERE m.user_id = u.id) AS memberships,
         (SELECT count(*) FROM auth_audit_logs a WHERE a.subject_user_id = u.id) AS entries,
         (SELECT count(*) FROM mail_outbox) AS mails FROM users u WHERE u.id = $1`,
      [id],
    )
  ).rows[0];

const newEmail = (): string => `user-${crypto.randomUUID()}@example.com`;
const PERSON = { password: 'a long walk home', fullName: 'Ada Berg' };

async function registered(): Promise<{ id: string; email: string }> {
  const email = newEmail();
  await kit.auth.registration.register({ email, ...PERSON });
  return { id: (await kit.auth.admin.users.getByEmail(email)).id, email };
}

async function invited(email: string): Promise<string> {
  const inviter = await kit.user({ company: 'acme', role: 'TENANT_SUPERADMIN' });
  const caller = await kit.auth.authenticator.authenticateWithMemberships(inviter.accessToken);
  await kit.auth.invitations.create(caller, inviter.companyId ?? '', { email, role: 'MEMBER' });
  return (await kit.mail.waitFor(email, 'invitation')).token ?? '';
}

describe('functions of the app within our transactions', () => {
  it('a registration, its approval and its erasure', async () => {
    const { id } = await registered();
    await approve(id);
    await kit.auth.admin.erasure.erase(OPERATOR, id, 'asked for it');
    expect(await ownRows()).toMatchObject([
      { name: 'approval', event: 'user_approved', user_id: id },
      { name: 'registration', event: 'registration', user_id: id },
      { name: 'userErased', event: 'personal_data_erased', user_id: id },
    ]);
  });

  it('a registration that the owner of the mailbox deletes', async () => {
    const { email, id } = await registered();
    const mail = await kit.mail.waitFor(email, 'email_verification');
    const link = mail.links.find((each) => each.includes('reject')) ?? '';
    await kit.auth.emailVerification.reject({ token: new URL(link).searchParams.get('token') ?? '' });
    expect(await ownRows()).toContainEqual(
      expect.objectContaining({ name: 'userErased', event: 'registration_cancelled', user_id: id }),
    );
  });

  it('an invitation that a new user and one that an existing user accepts', async () => {
    const email = newEmail();
    await kit.auth.invitationAcceptance.accept({ token: await invited(email), ...PERSON });
    const existing = await kit.user();
    const caller = await kit.auth.authenticator.authenticateWithMemberships(existing.accessToken);
    await kit.auth.invitationAcceptance.accept({ token: await invited(existing.email) }, caller);
    const { id } = await kit.auth.admin.users.getByEmail(email);
    const users = (name: string) =>
      written
        .filter((row) => row.name === name && row.event === 'invitation_accepted')
        .map((row) => row.user_id);
    const written = await ownRows();
    expect(users('invitationAccepted').toSorted()).toEqual([id, existing.id].toSorted());
    // Both have become members.
    expect(users('membershipChanged').toSorted()).toEqual([id, existing.id].toSorted());
  });

  it('a membership that is created, changed and ended, of companies and of units', async () => {
    const { id: userId } = await kit.user();
    const { memberships } = kit.auth;
    const machine = { kind: 'machine', name: 'tests' } as const;
    await memberships.upsertCompany(machine, COMPANY, { userId });
    await memberships.upsertCompany(machine, COMPANY, { userId, role: 'ADMIN' });
    const unit = { companyId: COMPANY, businessUnitId: crypto.randomUUID() };
    await memberships.upsertBusinessUnit(machine, unit, { userId });
    const finance = { userId, machine };
    await kit.auth.financeWorkflow.patchCompany(
      finance,
      { userId, companyId: COMPANY },
      { financeRole: 'SUBMITTER' },
    );
    await memberships.upsertCompany(machine, COMPANY, { userId, isActive: false });
    const events = (await ownRows()).map(({ event }) => event);
    expect(events).toEqual(
      expect.arrayContaining([
        'membership_created',
        'membership_updated',
        'business_unit_membership_changed',
        'finance_changed',
      ]),
    );
    expect(events.length).toBeGreaterThanOrEqual(5);
  });

  it('approvals by a machine, and by the link to the mailbox', async () => {
    const byMachine = await registered();
    const machine = { kind: 'machine', name: 'crm' } as const;
    await kit.auth.admin.users.patch(machine, byMachine.id, { approvalStatus: 'APPROVED', isActive: true });
    const log: unknown[] = [];
    const verified = await createTestAuth({
      databaseUrl: inject('postgres').url,
      settings: { REGISTRATION_APPROVAL: 'verified' },
      within: { approval: ({ event, subjectUserId }) => void log.push([event, subjectUserId]) },
    });
    const email = newEmail();
    await verified.auth.registration.register({ email, ...PERSON });
    const { token } = await verified.mail.waitFor(email, 'email_verification');
    await verified.auth.emailVerification.verify({ token: token ?? '', password: PERSON.password });
    const { id } = await verified.auth.admin.users.getByEmail(email);
    await verified.close();
    expect(log).toEqual([['user_approved', id]]);
    expect(await ownRows()).toContainEqual(
      expect.objectContaining({ name: 'approval', event: 'user_approved', user_id: byMachine.id }),
    );
  });

  it('none for users that staff create, which is no registration', async () => {
    const { admin } = kit.auth;
    await admin.users.create(OPERATOR, {
      email: newEmail(),
      password: PERSON.password,
      approvalStatus: 'APPROVED',
    });
    expect(await ownRows()).toEqual([]);
  });

  it('an import runs none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'own-rows-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = join(folder, 'users.jsonl');
    writeFileSync(file, JSON.stringify({ email: newEmail(), memberships: [{ companyId: COMPANY }] }));
    const result = await operate(kit.auth, ({ userImports }) => userImports.importFile(OPERATOR, { file }));
    expect(result).toMatchObject({ created: 1 });
    expect(await ownRows()).toEqual([]);
  });

  it('the contents of a rejected row are not in the log, and listeners do not see a changed event', async () => {
    act = async (_name, event, trx) => {
      event.details.planted = true;
      await trx.query('INSERT INTO own_rows (name, user_id) VALUES ($1, $2)', [
        'private words',
        crypto.randomUUID(),
      ]);
    };
    await expect(kit.auth.registration.register({ email: newEmail(), ...PERSON })).rejects.toThrow();
    expect(log.some(({ level }) => level === 'error')).toBe(true);
    expect(inspect(log, { depth: 10 })).not.toMatch(/private words|is not present in table/);

    act = (_name, event) => {
      event.details.planted = true;
    };
    const { id } = await registered();
    const { rows } = await sql.query('SELECT details FROM auth_audit_logs WHERE subject_user_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain('planted');
  });

  it('a read sees what the transaction has written, and the event is frozen', async () => {
    let seen: unknown;
    act = async (_name, event, trx) => {
      [seen] = await trx.query('SELECT email FROM latchkey_people WHERE id = $1', [event.subjectUserId]);
      expect(Object.isFrozen(event)).toBe(true);
    };
    const { email } = await registered();
    expect(seen).toEqual({ email });
  });
});

describe('a function that fails', () => {
  const nothingOf = async (email: string): Promise<void> => {
    await expect(kit.auth.admin.users.getByEmail(email)).rejects.toMatchObject({ code: 'not_found' });
    expect(await ownRows()).toEqual([]);
    expect(kit.mail.to(email)).toEqual([]);
    expect(heard).toEqual([]);
  };

  it('rejects the registration with the AuthError that it throws, and nothing is written, mailed or announced', async () => {
    const email = newEmail();
    act = async (name, event, trx) => {
      await note(name, event, trx);
      throw AuthError.conflict('All seats are taken.', 'app.no_seats');
    };
    await expect(kit.auth.registration.register({ email, ...PERSON })).rejects.toMatchObject({
      code: 'conflict',
      reason: 'app.no_seats',
    });
    await nothingOf(email);
    expect(log.filter((line) => line.level === 'error')).toEqual([]);
  });

  it.each([
    ['throws', () => Promise.reject(new TypeError('undefined is not a function')), 'internal_error'],
    [
      'breaks a statement',
      (trx: OwnTransaction) => trx.query('SELECT nothing FROM nowhere'),
      'internal_error',
    ],
    ['never ends', () => new Promise(() => undefined), 'service_unavailable'],
    ['commits', (trx: OwnTransaction) => trx.query('COMMIT'), 'internal_error'],
    ['rolls back', (trx: OwnTransaction) => trx.query('/* now */ -- so\n rollback'), 'internal_error'],
    ['sets a path', (trx: OwnTransaction) => trx.query('SET search_path = evil'), 'internal_error'],
    ['sends two statements', (trx: OwnTransaction) => trx.query('SELECT 1; COMMIT'), 'internal_error'],
    ['locks a table', (trx: OwnTransaction) => trx.query('LOCK TABLE users'), 'internal_error'],
    [
      'commits behind a nested comment',
      (trx: OwnTransaction) => trx.query('/* /* */ SELECT */ COMMIT'),
      'internal_error',
    ],
    [
      'commits behind a comment that a carriage return ends',
      (trx: OwnTransaction) => trx.query('-- now\rCOMMIT/*\nSELECT 1*/'),
      'internal_error',
    ],
    [
      'changes the connection for other requests',
      (trx: OwnTransaction) => trx.query("SELECT set_config('search_path', 'evil', false)"),
      'internal_error',
    ],
    [
      'passes values that are no array',
      (trx: OwnTransaction) => trx.query('SELECT $1::int', 1 as unknown as []),
      'internal_error',
    ],
    [
      'does not wait for a statement that fails',
      (trx: OwnTransaction) => void trx.query('SELECT nothing FROM nowhere'),
      'internal_error',
    ],
    [
      'catches the error of its statement',
      (trx: OwnTransaction) => trx.query('SELECT nothing FROM nowhere').catch(() => undefined),
      'internal_error',
    ],
    [
      'catches the refusal of its statement',
      (trx: OwnTransaction) => trx.query('COMMIT').catch(() => undefined),
      'internal_error',
    ],
    [
      'waits for a statement that takes long',
      (trx: OwnTransaction) => trx.query('SELECT pg_sleep(60)'),
      'service_unavailable',
    ],
    [
      'does not wait for a statement that takes long',
      (trx: OwnTransaction) => void trx.query('SELECT pg_sleep(60)'),
      'service_unavailable',
    ],
    ['throws a text', () => Promise.reject(NO_ERROR), 'internal_error'],
  ])('one that %s leaves nothing, and the log names it', async (_what, fail, code) => {
    const email = newEmail();
    act = async (name, event, trx) => {
      await note(name, event, trx);
      await fail(trx);
    };
    await expect(kit.auth.registration.register({ email, ...PERSON })).rejects.toMatchObject({ code });
    await nothingOf(email);
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        function: 'within.registration',
        message: 'The function within.registration of the app failed; nothing was written.',
      }),
    );
  });

  it('rejects with its own error after a statement that failed', async () => {
    const email = newEmail();
    act = (_name, _event, trx) =>
      trx.query('SELECT nothing FROM nowhere').catch(() => {
        throw AuthError.conflict('This name is taken.', 'app.name_taken');
      });
    await expect(kit.auth.registration.register({ email, ...PERSON })).rejects.toMatchObject({
      reason: 'app.name_taken',
    });
    await nothingOf(email);
  });

  it('by a row that the database refuses: the log names the constraint, and has nothing of the row', async () => {
    const email = newEmail();
    let seen: unknown;
    act = async (_name, _event, trx) => {
      await trx.query('INSERT INTO names VALUES ($1)', ['Grace Hopper']).catch((error: unknown) => {
        seen = Reflect.get(Object(error) as object, 'detail');
        throw error;
      });
    };
    await sql.query("CREATE TABLE names (name text UNIQUE); INSERT INTO names VALUES ('Grace Hopper')");
    const registering = kit.auth.registration.register({ email, ...PERSON });
    await expect(registering).rejects.toMatchObject({ code: 'internal_error' });
    expect(seen).toContain('Grace Hopper');
    expect(printed.join('\n')).toContain('names_name_key');
    expect(printed.join('\n')).not.toContain('Grace Hopper');
    await nothingOf(email);
  });

  it('a statement that it does not wait for is part of the transaction', async () => {
    act = (name, event, trx) => void note(name, event, trx);
    const { id } = await registered();
    expect(await ownRows()).toMatchObject([{ user_id: id }]);
  });

  it.each([
    ['approval', (id: string) => approve(id)],
    ['userErased', (id: string) => kit.auth.admin.erasure.erase(OPERATOR, id, 'asked for it')],
    [
      'membershipChanged',
      (id: string) =>
        kit.auth.memberships.upsertCompany({ kind: 'machine', name: 't' }, COMPANY, { userId: id }),
    ],
  ])('of %s leaves the user and the sessions as they were', async (name, cause) => {
    const user: { id: string; accessToken?: string } =
      name === 'approval' ? await registered() : await kit.user();
    const { id } = user;
    await sql.query('DELETE FROM own_rows');
    heard.length = 0;
    const before = await stateOf(id);
    act = async (called, event, trx) => {
      await note(called, event, trx);
      throw AuthError.forbidden('Not now.', 'app.not_now');
    };
    await expect(cause(id)).rejects.toMatchObject({ code: 'forbidden', reason: 'app.not_now' });
    expect(await stateOf(id)).toEqual(before);
    if (user.accessToken !== undefined)
      expect((await kit.auth.authenticator.authenticate(user.accessToken)).userId).toBe(id);
    expect(await ownRows()).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('of invitationAccepted leaves the invitation open, and its link works afterwards', async () => {
    const email = newEmail();
    const token = await invited(email);
    act = () => {
      throw AuthError.conflict('All seats are taken.', 'app.no_seats');
    };
    const accepted = kit.auth.invitationAcceptance.accept({ token, ...PERSON });
    await expect(accepted).rejects.toMatchObject({ reason: 'app.no_seats' });
    await expect(kit.auth.admin.users.getByEmail(email)).rejects.toMatchObject({ code: 'not_found' });
    act = note;
    await kit.auth.invitationAcceptance.accept({ token, ...PERSON });
    expect(await ownRows()).toContainEqual(expect.objectContaining({ name: 'invitationAccepted' }));
  });

  it('a statement after the end of the function is refused', async () => {
    let late: OwnTransaction | undefined;
    act = (_name, _event, trx) => void (late = trx);
    await registered();
    await expect(late?.query('SELECT 1')).rejects.toThrow(
      'within.registration: trx.query was called after the function had ended.',
    );
  });

  it('a deadlock runs the whole transaction again', async () => {
    let runs = 0;
    act = async (name, event, trx) => {
      runs += 1;
      await note(name, event, trx);
      if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    };
    const { id } = await registered();
    expect(runs).toBe(2);
    expect(await ownRows()).toMatchObject([{ user_id: id }]);
  });
});

it.each([
  [true, /within must be an object of functions\. Write: createAuth/],
  [{ registrations: () => undefined }, /within\.registrations is unknown\. Did you mean registration\?/],
  [{ approval: 'INSERT' }, /within\.approval must be a function\. Write: .*approval: async/],
])('within: %j is refused at construction with the right line', async (within, message) => {
  const created = createTestAuth({
    databaseUrl: inject('postgres').url,
    within: within as unknown as OwnRows,
  });
  await expect(created).rejects.toThrow(message);
});
