import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { allowedSince } from '../../../../test/support/machine-lag.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { AuthError } from '../kernel/auth-error.js';
import { silentLogger } from '../kernel/logger.js';
import { Database } from '../storage/database.js';
import { WebhookDeliveryRepository } from './webhook-delivery-repository.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookEndpointRepository } from './webhook-endpoint-repository.js';
import type { WebhookType } from './webhook-event.js';
import type { WebhookWithSecret } from './webhook-schema.js';

const MINUTE = 60_000;
const OPERATOR = { kind: 'operator', name: 'ann' } as const;
const PLATFORM = { administrator: OPERATOR, companyId: null };

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  message: { type: string; timestamp: string; data: Record<string, unknown> };
}

let kit: TestAuth;
let database: Database;

beforeAll(async () => {
  kit = await createTestAuth({ settings: { WEBHOOKS: 'all' } });
  database = new Database({ url: kit.databaseUrl, poolMax: 4, preparedStatements: true });
});

afterAll(async () => {
  await database.close();
  await kit.close();
});

beforeEach(async () => {
  await database.run((knex) => knex('webhook_endpoints').delete());
});

/** A receiver on this machine, which responds with the given status. */
async function receiver() {
  const received: Received[] = [];
  const state = { status: 204, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body, message: JSON.parse(body) as Received['message'] });
      response.writeHead(state.status, state.headers).end('what an inner host would say');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://localhost:${(server.address() as AddressInfo).port}/hooks`;
  return { url, received, state, server };
}

const create = (
  url: string,
  events: (WebhookType | '*')[] = ['*'],
  companyId: string | null = null,
): Promise<WebhookWithSecret> => kit.auth.admin.webhooks.create({ ...PLATFORM, companyId }, { url, events });

const messages = (received: readonly Received[], type: string): Received[] =>
  received.filter(({ message }) => message.type === type);

const arrival = (received: readonly Received[], type: string, count = 1): Promise<Received[]> =>
  waitUntil(
    () => {
      const found = messages(received, type);
      return found.length >= count ? found : undefined;
    },
    { what: `${count} of ${type}` },
  );

const deliveriesOf = async (id: string) => (await kit.auth.admin.webhooks.deliveries(PLATFORM, id)).items;

/**
 * Moves the time to each next attempt of the endpoint's only delivery, until it holds what is asked. An attempt that is under way
 * when the time moves is scheduled from there, so a fixed step could stop short of the next one.
 */
const attemptsUntil = (
  id: string,
  holds: (delivery: Awaited<ReturnType<typeof deliveriesOf>>[number]) => boolean,
) =>
  waitUntil(
    async () => {
      const [delivery] = await deliveriesOf(id);
      if (!delivery || holds(delivery)) return delivery;
      const ahead = Date.parse(delivery.nextAttemptAt ?? '') - kit.clock.now().getTime();
      if (ahead > 0) await kit.clock.advance(Math.ceil(ahead / 1000));
      return undefined;
    },
    { what: 'the attempts' },
  );

describe('a message', () => {
  it('is signed so that the reference library accepts it, and no other body, time or secret', async () => {
    const { url, received } = await receiver();
    const { secret } = await create(url, ['user.created']);
    const { id } = await kit.user();
    const [first] = await arrival(received, 'user.created');
    if (!first) throw new Error('nothing arrived');
    const { headers, body, message } = first;
    const signed = {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    };
    expect(new Webhook(secret).verify(body, signed)).toEqual(message);
    expect(() => new Webhook(secret).verify(`${body} `, signed)).toThrow();
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, signed)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...signed, 'webhook-id': 'another' })).toThrow();
    expect(message.data.userId).toBe(id);
  });

  it('names ids and fields, and neither an address nor a name', async () => {
    const { url, received } = await receiver();
    await create(url);
    const user = await kit.user({ fullName: 'Ada Lovelace' });
    await kit.auth.admin.users.patch(OPERATOR, user.id, { fullName: 'Countess Lovelace' });
    const [updated] = await arrival(received, 'user.updated');
    expect(updated?.message.data).toMatchObject({
      userId: user.id,
      actor: 'operator',
      changed: ['fullName'],
    });
    expect(updated?.message.data.auditId).toMatch(/^[0-9a-f-]{36}$/);
    const all = received.map(({ body }) => body).join('\n');
    for (const text of ['Lovelace', user.email, 'ann', '127.0.0.1']) expect(all).not.toContain(text);
  });

  it('an address is called as it is shown: spaces around it are dropped, and others are refused', async () => {
    const { url } = await receiver();
    expect((await create(`  ${url}\n`)).webhook.url).toBe(url);
    for (const text of [url.replace('/hooks', '/ho\noks'), `${url}/a b`, `${url}\t/x`])
      await expect(create(text)).rejects.toThrow('must not contain spaces');
  });

  it('a type that is named twice is kept once', async () => {
    const { url } = await receiver();
    const { webhook } = await create(url, ['user.created', 'user.erased', 'user.created']);
    expect(webhook.events).toEqual(['user.created', 'user.erased']);
  });

  it('is signed by both secrets during a rotation, and by the new one alone afterwards', async () => {
    const { url, received } = await receiver();
    const { webhook, secret } = await create(url);
    const rotated = await kit.auth.admin.webhooks.rotateSecret(PLATFORM, webhook.id, { overlap: '1h' });
    const verifies = (message: Received | undefined, by: string): boolean => {
      try {
        new Webhook(by).verify(message?.body ?? '', message?.headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    await kit.auth.admin.webhooks.test(PLATFORM, webhook.id);
    const [during] = await arrival(received, 'webhook.test');
    expect([secret, rotated.secret].map((by) => verifies(during, by))).toEqual([true, true]);
    await database.run((knex) =>
      knex('webhook_endpoints').update({ former_until: knex.raw("now() - interval '1 second'") }),
    );
    await kit.auth.admin.webhooks.test(PLATFORM, webhook.id);
    const after = (await arrival(received, 'webhook.test', 2))[1];
    expect([secret, rotated.secret].map((by) => verifies(after, by))).toEqual([false, true]);
  });
});

describe('what is queued', () => {
  it('is what was committed after the endpoint was created, each once', async () => {
    const before = await kit.user();
    const { url, received } = await receiver();
    const { webhook } = await create(url, ['user.created']);
    const users = await Promise.all([kit.user(), kit.user(), kit.user()]);
    await arrival(received, 'user.created', 3);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const ids = received.map(({ message }) => message.data.userId);
    expect(ids.sort()).toEqual(users.map(({ id }) => id).sort());
    expect(ids).not.toContain(before.id);
    expect(await deliveriesOf(webhook.id)).toHaveLength(3);
  });

  it('includes a transaction that was open across a dispatch, and not one that was rolled back', async () => {
    const { url, received } = await receiver();
    const { webhook } = await create(url, ['user.deactivated', 'user.created']);
    const event = (companyId: string | undefined) => ({
      ...({ event: 'user_deactivated', outcome: 'success', actor: OPERATOR, companyId } as const),
      client: { ipAddress: null, userAgent: null, deviceName: null, requestId: null },
    });
    const [open, lost] = ['018f4e6e-0000-7000-8000-0000000000a1', '018f4e6e-0000-7000-8000-0000000000a2'];
    const insert = `INSERT INTO auth_audit_logs (id, event, outcome, actor) VALUES (?, 'user_deactivated', 'success', 'cli:x')`;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    // A test that fails meanwhile must not keep the database from being closed.
    onTestFinished(() => release());
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const slow = database.transaction(async (trx) => {
      await trx.raw(insert, [open]);
      begin();
      await released;
    });
    await begun;
    const failing = database
      .transaction(async (trx) => {
        await trx.raw(insert, [lost]);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await failing;
    await kit.auth.audit.insert(event(undefined));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(received).toHaveLength(0);
    release();
    await slow;
    const found = await arrival(received, 'user.deactivated', 2);
    const ids = found.map(({ message }) => message.data.auditId);
    expect(ids).toContain(open);
    expect(ids).not.toContain(lost);
    expect(await deliveriesOf(webhook.id)).toHaveLength(2);
  });

  it('is queued once by many dispatchers, of which some die in the middle', async () => {
    const { url } = await receiver();
    const { webhook } = await create(url, ['user.deactivated']);
    await kit.auth.admin.webhooks.update(PLATFORM, webhook.id, {
      description: 'no sender reaches it in time',
    });
    const rows = Array.from({ length: 600 }, (_value, index) => ({
      id: `018f4e6e-0000-7000-9000-${String(index).padStart(12, '0')}`,
      event: 'user_deactivated',
      outcome: 'success',
      actor: 'cli:x',
    }));
    const deps = {
      database,
      webhookEndpoints: new WebhookEndpointRepository(database),
      logger: silentLogger,
    };
    const dying = new WebhookDeliveryRepository(database);
    // The process ends after the deliveries were written, before its transaction commits.
    dying.moveCursor = () => Promise.reject(new Error('killed'));
    const inserting = (async () => {
      for (let start = 0; start < rows.length; start += 30)
        await database.run((knex) => knex('auth_audit_logs').insert(rows.slice(start, start + 30)));
    })();
    for (let round = 0; round < 20; round += 1) {
      const healthy = new WebhookDispatcher(
        { ...deps, webhookDeliveries: new WebhookDeliveryRepository(database) },
        () => undefined,
      );
      const killed = new WebhookDispatcher({ ...deps, webhookDeliveries: dying }, () => undefined);
      await Promise.allSettled([killed.catchUp(), healthy.catchUp(), killed.catchUp()]);
    }
    await inserting;
    const count = async (): Promise<number | undefined> => {
      const [row] = await database.run<{ all: string; different: string }[]>((knex) =>
        knex('webhook_deliveries')
          .where({ endpoint_id: webhook.id })
          .select(knex.raw('count(*) AS all, count(DISTINCT audit_id) AS different')),
      );
      expect(row?.all).toBe(row?.different);
      return Number(row?.all) >= rows.length ? Number(row?.all) : undefined;
    };
    expect(await waitUntil(count, { what: 'all deliveries' })).toBe(rows.length);
  });

  it('belongs to the company of an endpoint, and is of a type that concerns one', async () => {
    const ada = await kit.user({ company: 'acme' });
    const eve = await kit.user({ company: 'globex' });
    const { url, received } = await receiver();
    await create(url, ['*'], ada.companyId ?? '');
    const upsert = (user: typeof ada) =>
      kit.auth.memberships.upsertCompany(OPERATOR, user.companyId ?? '', {
        userId: user.id,
        isActive: false,
      });
    await upsert(eve);
    await kit.user();
    await upsert(ada);
    const [ended] = await arrival(received, 'membership.ended');
    expect(ended?.message.data).toMatchObject({ userId: ada.id, companyId: ada.companyId });
    expect(received).toHaveLength(1);
  });
});

describe('a receiver that fails', () => {
  it('is unavailable for ten minutes, and receives everything afterwards, each under one id', async () => {
    const { url, received, state } = await receiver();
    const { webhook } = await create(url, ['user.created']);
    state.status = 503;
    const user = await kit.user();
    const began = kit.clock.now().getTime();
    await attemptsUntil(webhook.id, () => kit.clock.now().getTime() - began >= 10 * MINUTE);
    state.status = 200;
    const sent = await attemptsUntil(webhook.id, ({ status }) => status === 'SENT');
    const attempts = messages(received, 'user.created');
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([sent.id]));
    expect(attempts.at(-1)?.message.data.userId).toBe(user.id);
    expect(sent).toMatchObject({ attempts: attempts.length, lastStatus: 200, lastError: null });
  });

  it('shows the status and the kind of failure, and nothing else of a response', async () => {
    const { url, received, state } = await receiver();
    state.status = 500;
    const { webhook } = await create(url);
    await kit.auth.admin.webhooks.test(PLATFORM, webhook.id);
    await arrival(received, 'webhook.test');
    const failed = await waitUntil(
      async () => (await deliveriesOf(webhook.id)).find(({ lastError }) => lastError !== null),
      { what: 'the failure' },
    );
    expect(failed).toMatchObject({ status: 'PENDING', lastStatus: 500, lastError: 'status', attempts: 1 });
    expect(JSON.stringify(failed)).not.toContain('inner host');
  });

  it('responds with 410: the endpoint is disabled, and its creator is notified by mail', async () => {
    const { url, received, state } = await receiver();
    const staff = await kit.user({ globalRole: 'PLATFORM_SUPERADMIN' });
    const administrator = {
      ...({ kind: 'user', userId: staff.id, globalRole: 'PLATFORM_SUPERADMIN' } as const),
      signIn: { authTime: Math.floor(kit.clock.now().getTime() / 1000), amr: ['pwd'] },
    };
    state.status = 410;
    const { webhook } = await kit.auth.admin.webhooks.create(
      { administrator, companyId: null },
      { url, events: ['*'] },
    );
    await kit.auth.admin.webhooks.test(PLATFORM, webhook.id);
    await arrival(received, 'webhook.test');
    const mail = await kit.mail.waitFor(staff.email, 'webhook_disabled');
    expect(mail.text).toContain('localhost');
    const [disabled] = await kit.auth.admin.webhooks.list(PLATFORM);
    expect(disabled).toMatchObject({ isActive: false, disabledReason: 'gone' });
    const { items } = await kit.auth.admin.audit.list({ event: 'webhook_disabled' });
    expect(items[0]?.details).toMatchObject({ webhookId: webhook.id, reason: 'gone' });
    expect((await deliveriesOf(webhook.id))[0]?.status).toBe('DEAD');
  });

  it('is reported to those who administer its company now, and not to a creator who has left it', async () => {
    const { url, state } = await receiver();
    state.status = 410;
    const creator = await kit.user({ company: 'umbrella', role: 'ADMIN' });
    const other = await kit.user({ company: 'umbrella', role: 'ADMIN' });
    const administrator = { kind: 'user', userId: creator.id, globalRole: 'NONE' } as const;
    const companyId = creator.companyId ?? '';
    const owner = { administrator, companyId };
    const { webhook } = await kit.auth.admin.webhooks.create(owner, { url, events: ['*'] });
    const left = { userId: creator.id, isActive: false };
    await kit.auth.memberships.upsertCompany(OPERATOR, companyId, left);
    await kit.auth.admin.webhooks.test({ ...PLATFORM, companyId }, webhook.id);
    await kit.mail.waitFor(other.email, 'webhook_disabled');
    const notified = await database.run((knex) =>
      knex('mail_outbox')
        .where({ kind: 'webhook_disabled' })
        .whereIn('recipient', [creator.email, other.email])
        .pluck('recipient'),
    );
    expect(notified).toEqual([other.email]);
  });

  it('is disabled after five days without a success', async () => {
    const { url, received, state } = await receiver();
    state.status = 500;
    const { webhook } = await create(url);
    await kit.auth.admin.webhooks.test(PLATFORM, webhook.id);
    await arrival(received, 'webhook.test');
    const since = "now() - interval '5 days 1 minute'";
    await waitUntil(
      async () => (await kit.auth.admin.webhooks.list(PLATFORM))[0]?.failingSince ?? undefined,
      {
        what: 'the failure to be recorded',
      },
    );
    await database.run((knex) => knex('webhook_endpoints').update({ failing_since: knex.raw(since) }));
    await kit.auth.admin.webhooks.test(PLATFORM, webhook.id);
    const disabled = await waitUntil(
      async () => (await kit.auth.admin.webhooks.list(PLATFORM)).find(({ isActive }) => !isActive),
      { what: 'the endpoint to be disabled' },
    );
    expect(disabled.disabledReason).toBe('failing');
  });

  it('delays no other endpoint', async () => {
    const { received, url } = await receiver();
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const slow = await create(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`);
    for (let count = 0; count < 10; count += 1) await kit.auth.admin.webhooks.test(PLATFORM, slow.webhook.id);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { webhook } = await create(url);
    const began = performance.now();
    await kit.auth.admin.webhooks.test(PLATFORM, webhook.id);
    await arrival(received, 'webhook.test');
    expect(performance.now() - began).toBeLessThan(allowedSince(began, 10_000));
    hanging.closeAllConnections();
  });

  it('delays no other endpoint with those beside it that have waited longer', async () => {
    const idle = await createTestAuth({ settings: { WEBHOOKS: 'all', WEBHOOK_SEND: 'false' } });
    onTestFinished(() => idle.close());
    const queue = new Database({ url: idle.databaseUrl, poolMax: 2, preparedStatements: true });
    onTestFinished(() => queue.close());
    const { webhooks } = idle.auth.admin;
    const endpoints: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const input = { url: `http://localhost:${9_000 + count}/`, events: ['*' as const] };
      endpoints.push((await webhooks.create(PLATFORM, input)).webhook.id);
    }
    const [last = '', ...others] = endpoints.toReversed();
    for (const id of others.flatMap((each) => [each, each, each, each])) await webhooks.test(PLATFORM, id);
    const deliveries = new WebhookDeliveryRepository(queue);
    const claimed: string[] = [];
    const claim = async () => claimed.push((await deliveries.claim(60))?.endpointId ?? 'none');
    for (let count = 0; count < 16; count += 1) await claim();
    expect(new Set(claimed).size).toBe(others.length);
    await webhooks.test(PLATFORM, last);
    await claim();
    expect(claimed.at(-1)).toBe(last);
  });
});

describe('administrators', () => {
  it('queue ten tests of a receiver that does not answer, also at once, and more when they were sent', async () => {
    const idle = await createTestAuth({ settings: { WEBHOOKS: 'all', WEBHOOK_SEND: 'false' } });
    onTestFinished(() => idle.close());
    const queue = new Database({ url: idle.databaseUrl, poolMax: 1, preparedStatements: true });
    onTestFinished(() => queue.close());
    const { webhooks } = idle.auth.admin;
    const { webhook } = await webhooks.create(PLATFORM, { url: 'http://localhost:9000/', events: ['*'] });
    const test = (): Promise<unknown> => webhooks.test(PLATFORM, webhook.id).catch((error: unknown) => error);
    const outcomes = await Promise.all(Array.from({ length: 14 }, test));
    const refused = outcomes.filter((outcome) => AuthError.is(outcome));
    expect(refused.map(({ code, retryAfterSeconds }) => [code, retryAfterSeconds])).toEqual(
      Array(4).fill(['rate_limited', 60]),
    );
    await queue.run((knex) => knex('webhook_deliveries').update({ status: 'SENT', ended_at: knex.fn.now() }));
    expect(await test()).toMatchObject({ event: 'webhook.test' });
  });

  it('send a delivery again under its id, and what the log has of a time', async () => {
    const { url, received } = await receiver();
    const { webhook } = await create(url, ['user.created']);
    const from = new Date(kit.clock.now().getTime() - 1_000).toISOString();
    await kit.user();
    await arrival(received, 'user.created');
    const [delivery] = await waitUntil(
      async () => {
        const all = await deliveriesOf(webhook.id);
        return all.every(({ status }) => status === 'SENT') ? all : undefined;
      },
      { what: 'the delivery to be sent' },
    );
    await kit.auth.admin.webhooks.retry(PLATFORM, webhook.id, delivery?.id ?? '');
    await arrival(received, 'user.created', 2);
    await waitUntil(async () => (await deliveriesOf(webhook.id))[0]?.status === 'SENT' || undefined, {
      what: 'SENT',
    });
    expect(await kit.auth.admin.webhooks.replay(PLATFORM, webhook.id, { from })).toEqual({ queued: 1 });
    await arrival(received, 'user.created', 3);
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery?.id]));
    await database.run((knex) => knex('webhook_deliveries').delete());
    expect(await kit.auth.admin.webhooks.replay(PLATFORM, webhook.id, { from })).toEqual({ queued: 1 });
    await arrival(received, 'user.created', 4);
  });

  it('create at most twenty endpoints of the platform and five of a company', async () => {
    const { url } = await receiver();
    const { companyId = '' } = await kit.user({ company: 'acme' });
    const reasons = await Promise.all(
      Array.from({ length: 7 }, () =>
        create(url, ['*'], companyId).then(
          () => 'created',
          (error: unknown) => (AuthError.is(error) ? error.reason : 'another error'),
        ),
      ),
    );
    expect(reasons.filter((reason) => reason === 'created')).toHaveLength(5);
    expect(reasons.filter((reason) => reason === 'webhook_limit_reached')).toHaveLength(2);
    for (let count = 0; count < 20; count += 1) await create(url);
    await expect(create(url)).rejects.toMatchObject({ reason: 'webhook_limit_reached' });
  });

  it('give no address of an inner network, nor that of the service', async () => {
    const refused = (url: string) => expect(create(url)).rejects.toMatchObject({ code: 'validation_error' });
    await refused('https://169.254.169.254/latest/meta-data/');
    await refused('https://10.0.0.1/');
    await refused('http://hooks.example.com/');
    await refused('https://user:password@hooks.example.com/');
    await refused(kit.auth.settings.http.baseUrl);
    await expect(create('https://10.0.0.1/')).rejects.toThrow(/OUTBOUND_ALLOWED/);
  });

  it('of a company see and change only endpoints of that company', async () => {
    const { url } = await receiver();
    const ada = await kit.user({ company: 'acme' });
    const { webhook } = await create(url);
    const owner = { ...PLATFORM, companyId: ada.companyId ?? '' };
    const found = { reason: 'webhook_not_found' };
    await expect(kit.auth.admin.webhooks.remove(owner, webhook.id)).rejects.toMatchObject(found);
    await expect(kit.auth.admin.webhooks.deliveries(owner, webhook.id)).rejects.toMatchObject(found);
    expect(await kit.auth.admin.webhooks.list(owner)).toEqual([]);
    const member = { kind: 'user', userId: ada.id, globalRole: 'NONE' } as const;
    await expect(
      kit.auth.admin.webhooks.create(
        { administrator: member, companyId: owner.companyId },
        { url, events: ['*'] },
      ),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('that are services need a scope of their own', async () => {
    const { url } = await receiver();
    const service = (scopes: string[]) => ({ kind: 'machine', name: 'service:crm', scopes }) as const;
    const createAs = (scopes: string[]) =>
      kit.auth.admin.webhooks.create(
        { administrator: service(scopes), companyId: null },
        { url, events: ['*'] },
      );
    await expect(createAs(['internal:write'])).rejects.toMatchObject({ reason: 'scope_missing' });
    expect((await createAs(['internal:write', 'webhooks:write'])).secret).toMatch(/^whsec_/);
  });
});

it('the database has no secret in the clear', async () => {
  const { url } = await receiver();
  const { secret } = await create(url);
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const [row] = await database.run<{ secret: Buffer }[]>((knex) =>
    knex('webhook_endpoints').select('secret'),
  );
  expect(row?.secret.includes(bytes)).toBe(false);
  expect(row?.secret.length).toBeGreaterThan(32);
});
