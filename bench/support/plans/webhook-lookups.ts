import { newId } from '../../../packages/core/src/kernel/id.js';
import type { Database, Transaction } from '../../../packages/core/src/storage/database.js';
import { WebhookDeliveryRepository } from '../../../packages/core/src/webhooks/webhook-delivery-repository.js';
import { WebhookEndpointRepository } from '../../../packages/core/src/webhooks/webhook-endpoint-repository.js';
import type { Population } from '../population/population.js';
import { beyondOneUser, rolledBack, type Lookup } from './lookup.js';

const secret = { keyId: 'key', bytes: Buffer.alloc(64) };
const DAY_MS = 86_400_000;

type Endpoints = WebhookEndpointRepository;
type Deliveries = WebhookDeliveryRepository;

export function webhookLookups(database: Database): Lookup[] {
  const endpoints = new WebhookEndpointRepository(database);
  const deliveries = new WebhookDeliveryRepository(database);
  return beyondOneUser('webhooks', [
    ...readings(endpoints, deliveries),
    {
      name: 'changes of webhooks',
      run: (population) => rolledBack(database, (trx) => changes({ endpoints, deliveries, trx }, population)),
    },
    {
      name: 'the audit log is followed for webhooks',
      run: (population) =>
        rolledBack(database, (trx) => dispatch({ endpoints, deliveries, trx }, population)),
    },
    {
      name: 'events to replay',
      run: ({ companyId }) => {
        const range = { from: new Date(Date.now() - DAY_MS), to: new Date(), events: ['login'], companyId };
        return rolledBack(database, (trx) => deliveries.replayable(range, 100, trx));
      },
    },
  ]);
}

const readings = (endpoints: Endpoints, deliveries: Deliveries): Lookup[] => [
  { name: 'webhooks of the platform', run: () => endpoints.list(null) },
  { name: 'webhooks of a company', run: ({ companyId }) => endpoints.list(companyId) },
  { name: 'webhook', run: () => endpoints.find(newId()) },
  { name: 'secrets of a webhook', run: () => endpoints.secretsOf(newId()) },
  { name: 'numbers of webhooks', run: () => endpoints.counts() },
  { name: 'success of a webhook', run: () => endpoints.noteSuccess(newId()) },
  { name: 'deliveries of a webhook', run: () => deliveries.list(newId(), undefined, undefined, 50) },
  { name: 'delivery of a webhook', run: () => deliveries.find(newId(), newId()) },
  { name: 'backlog of webhooks', run: () => deliveries.backlog() },
  { name: 'webhooks without work', run: () => deliveries.isIdle() },
  { name: 'claim of a delivery', run: () => deliveries.claim(60) },
  {
    name: 'secrets of other keys',
    run: async () => {
      for (const column of endpoints.secretColumns) {
        await column.ofOtherKeys('key', newId(), 100);
        await column.replace({ id: newId(), place: 'x', secret }, secret);
      }
    },
  },
];

interface Parts {
  endpoints: Endpoints;
  deliveries: Deliveries;
  trx: Transaction;
}

async function addEndpoint({ endpoints, trx }: Parts, { companyId, userId }: Population): Promise<string> {
  const id = newId();
  const texts = { url: 'https://hooks.example.com', events: ['*'], description: '' };
  await endpoints.insert({ id, companyId, ...texts, secret, createdByUserId: userId }, 100, trx);
  return id;
}

async function changes(parts: Parts, population: Population): Promise<void> {
  const { endpoints, deliveries, trx } = parts;
  const id = await addEndpoint(parts, population);
  const endpoint = await endpoints.lock(id, trx);
  if (endpoint) await endpoints.update(endpoint, trx);
  await endpoints.rotate(id, { secret, formerSecret: undefined }, 60, trx);
  await endpoints.noteFailure(id, true, trx);
  await endpoints.recipients(population.userId, population.companyId, trx);
  await endpoints.forgetSnapshots(trx);
  const delivery = { id: newId(), endpoint_id: id, event: 'user.created', payload: '{}' };
  await deliveries.insertTest(delivery, 10, trx);
  await deliveries.retry(delivery.id, id, trx);
  const sent = { status: 'SENT', lastStatus: 200, lastError: null } as const;
  await deliveries.finish({ id: delivery.id, attempts: 1 }, sent, trx);
  await deliveries.replayAll([{ ...delivery, id: newId(), audit_id: newId(), transaction_id: null }], trx);
  await endpoints.remove(id, trx);
}

async function dispatch(parts: Parts, population: Population): Promise<void> {
  const { endpoints, deliveries, trx } = parts;
  await addEndpoint(parts, population);
  await deliveries.lockCursor(trx);
  await deliveries.beginAnew(trx);
  await deliveries.skipAll(trx);
  await endpoints.wanting([population.companyId], trx);
  const [entry] = await deliveries.nextEntries(1, trx);
  if (entry) await deliveries.moveCursor(entry, true, trx);
  await deliveries.insertAll([], trx);
}
