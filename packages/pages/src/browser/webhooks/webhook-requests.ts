import type { RequestInput } from '@latchkey/client';
import { client } from '../client.js';

type Body<Path extends '/internal/webhooks' | '/internal/webhooks/{id}/replay'> = RequestInput<
  'POST',
  Path
>['body'];
type Patch = RequestInput<'PATCH', '/internal/webhooks/{id}'>['body'];
type DeliveryQuery = NonNullable<RequestInput<'GET', '/internal/webhooks/{id}/deliveries'>['query']>;

/** A type of message that a webhook can receive; `*` for all. */
export type WebhookEvent = Body<'/internal/webhooks'>['events'][number];

/** The webhooks of one owner. */
export type WebhookRequests = ReturnType<typeof webhooksOf>;

/** Returns the requests about the webhooks of a company, or of the platform without one. */
export const webhooksOf = (companyId: string | undefined) =>
  companyId === undefined ? ofPlatform : ofCompany(companyId);

const ofPlatform = {
  list: (signal: AbortSignal) => client.request('GET', '/internal/webhooks', { signal }),
  create: (body: Body<'/internal/webhooks'>) => client.request('POST', '/internal/webhooks', { body }),
  update: (id: string, body: Patch) =>
    client.request('PATCH', '/internal/webhooks/{id}', { path: { id }, body }),
  remove: (id: string) => client.request('DELETE', '/internal/webhooks/{id}', { path: { id } }),
  rotateSecret: (id: string, overlap: string) =>
    client.request('POST', '/internal/webhooks/{id}/rotate-secret', { path: { id }, body: { overlap } }),
  test: (id: string) => client.request('POST', '/internal/webhooks/{id}/test', { path: { id } }),
  deliveries: (id: string, query: DeliveryQuery, signal: AbortSignal) =>
    client.request('GET', '/internal/webhooks/{id}/deliveries', { path: { id }, query, signal }),
  retry: (id: string, deliveryId: string) =>
    client.request('POST', '/internal/webhooks/{id}/deliveries/{deliveryId}/retry', {
      path: { id, deliveryId },
    }),
  replay: (id: string, body: Body<'/internal/webhooks/{id}/replay'>) =>
    client.request('POST', '/internal/webhooks/{id}/replay', { path: { id }, body }),
};

const ofCompany = (companyId: string): typeof ofPlatform => {
  const path = '/internal/companies/{companyId}/webhooks';
  return {
    list: (signal) => client.request('GET', path, { path: { companyId }, signal }),
    create: (body) => client.request('POST', path, { path: { companyId }, body }),
    update: (id, body) => client.request('PATCH', `${path}/{id}`, { path: { companyId, id }, body }),
    remove: (id) => client.request('DELETE', `${path}/{id}`, { path: { companyId, id } }),
    rotateSecret: (id, overlap) =>
      client.request('POST', `${path}/{id}/rotate-secret`, { path: { companyId, id }, body: { overlap } }),
    test: (id) => client.request('POST', `${path}/{id}/test`, { path: { companyId, id } }),
    deliveries: (id, query, signal) =>
      client.request('GET', `${path}/{id}/deliveries`, { path: { companyId, id }, query, signal }),
    retry: (id, deliveryId) =>
      client.request('POST', `${path}/{id}/deliveries/{deliveryId}/retry`, {
        path: { companyId, id, deliveryId },
      }),
    replay: (id, body) => client.request('POST', `${path}/{id}/replay`, { path: { companyId, id }, body }),
  };
};
