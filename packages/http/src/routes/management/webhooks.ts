import { z } from 'zod';
import type { Administrator, Auth, ClientInfo } from '@latchkey/core';
import {
  businessUnitInput,
  replayedWebhook,
  replayWebhookInput,
  rotateWebhookSecretInput,
  statusOk,
  webhookDeliveryFilter,
  webhookDeliveryKeyInput,
  webhookDeliveryView,
  webhookInput,
  webhookKeyInput,
  webhookPatchInput,
  webhookView,
  webhookWithSecret,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { companyAdministrator } from '../../callers/company-admin.js';
import { internalKey } from '../../callers/internal-key.js';
import { staff } from '../../callers/staff.js';
import { cursorRoute, route, type Route, type RouteStepUp } from '../../routing/route.js';

/** One of the mounts of these routes. */
interface RouteVariant {
  prefix: string;
  named: (operationId: string) => string;
  tag: 'Webhooks' | 'Webhooks (machines)';
  caller: Caller<Administrator>;
  offered: (auth: Auth) => boolean;
  isOfCompany: boolean;
  stepUp?: RouteStepUp;
  refusedWhileActing?: boolean;
}

interface OwnedInput {
  caller: Administrator;
  params: { companyId?: string | undefined };
  client: ClientInfo;
}

/** Returns the owner of the endpoints in a request. */
const ownerOf =
  (isOfCompany: boolean) =>
  ({ caller: administrator, params, client }: OwnedInput) => ({
    administrator,
    companyId: isOfCompany ? (params.companyId ?? '') : null,
    client,
  });

/** Paths of companies name the company, too. */
function paramsOf(isOfCompany: boolean) {
  const company = isOfCompany ? businessUnitInput.pick({ companyId: true }).shape : {};
  type Company = { companyId?: string };
  return {
    all: z.object(company) as unknown as z.ZodType<Company>,
    one: webhookKeyInput.extend(company) as unknown as z.ZodType<z.output<typeof webhookKeyInput> & Company>,
    delivery: webhookDeliveryKeyInput.extend(company) as unknown as z.ZodType<
      z.output<typeof webhookDeliveryKeyInput> & Company
    >,
  };
}

/** Returns the fields that the routes of a variant share: those that read, and those that change something. */
function partsOf({ tag, isOfCompany, caller, offered, stepUp, refusedWhileActing }: RouteVariant) {
  const all = { tag, caller, offered };
  return {
    all,
    change: {
      ...all,
      ...(stepUp && { stepUp }),
      ...(refusedWhileActing !== undefined && { refusedWhileActing }),
    },
    params: paramsOf(isOfCompany),
    owner: ownerOf(isOfCompany),
    ofCompany: isOfCompany ? ' of a company' : '',
  };
}

function webhookRoutes(variant: RouteVariant): Route[] {
  return [
    ...ownerRoutes(variant),
    ...endpointRoutes(variant),
    ...deliveryRoutes(variant),
    ...sendingRoutes(variant),
  ];
}

function ownerRoutes(variant: RouteVariant): Route[] {
  const { prefix, named, isOfCompany } = variant;
  const { all, change, params, owner, ofCompany } = partsOf(variant);
  return [
    route({
      ...all,
      method: 'get',
      path: prefix,
      operationId: named('listWebhooks'),
      summary: `List the webhooks${isOfCompany ? ' of a company' : ' of the platform'}`,
      description: 'Oldest first, without secrets.',
      params: params.all,
      reply: webhookView.array(),
      handle: (input) => input.auth.admin.webhooks.list(owner(input)),
    }),
    route({
      ...change,
      method: 'post',
      path: prefix,
      operationId: named('createWebhook'),
      summary: `Create a webhook${ofCompany}`,
      description:
        'The response has its secret, which is not shown again. It receives events that are committed after it. ' +
        (isOfCompany ? 'At most 5, and only types that concern a company.' : 'At most 20.'),
      failures: ['conflict'],
      params: params.all,
      body: webhookInput,
      status: 201,
      reply: webhookWithSecret,
      handle: (input) => input.auth.admin.webhooks.create(owner(input), input.body),
    }),
  ];
}

function endpointRoutes(variant: RouteVariant): Route[] {
  const { prefix, named } = variant;
  const { change, params, owner, ofCompany } = partsOf(variant);
  return [
    route({
      ...change,
      method: 'patch',
      path: `${prefix}/{id}`,
      operationId: named('updateWebhook'),
      summary: `Change a webhook${ofCompany}`,
      description: 'Fields that are left out stay. `isActive: true` begins anew after failures.',
      failures: ['not_found'],
      params: params.one,
      body: webhookPatchInput,
      reply: webhookView,
      handle: (input) => input.auth.admin.webhooks.update(owner(input), input.params.id, input.body),
    }),
    route({
      ...change,
      method: 'delete',
      path: `${prefix}/{id}`,
      operationId: named('removeWebhook'),
      summary: `Remove a webhook${ofCompany}`,
      description: 'Its deliveries are removed with it.',
      failures: ['not_found'],
      params: params.one,
      reply: statusOk,
      handle: (input) => input.auth.admin.webhooks.remove(owner(input), input.params.id),
    }),
    route({
      ...change,
      method: 'post',
      path: `${prefix}/{id}/rotate-secret`,
      operationId: named('rotateWebhookSecret'),
      summary: `Replace the secret of a webhook${ofCompany}`,
      description: 'Messages are signed with both secrets until `overlap` ends.',
      failures: ['not_found', 'conflict'],
      params: params.one,
      body: rotateWebhookSecretInput,
      bodyOptional: true,
      reply: webhookWithSecret,
      handle: (input) => input.auth.admin.webhooks.rotateSecret(owner(input), input.params.id, input.body),
    }),
  ];
}

function deliveryRoutes(variant: RouteVariant): Route[] {
  const { prefix, named } = variant;
  const { all, change, params, owner, ofCompany } = partsOf(variant);
  return [
    route({
      ...change,
      method: 'post',
      path: `${prefix}/{id}/test`,
      operationId: named('testWebhook'),
      summary: `Send a test to a webhook${ofCompany}`,
      description:
        'Queues a message of the type `webhook.test`. 409 for a webhook that is not active. 429 while 10 tests of it wait for the receiver.',
      failures: ['not_found', 'conflict', 'rate_limited'],
      params: params.one,
      reply: webhookDeliveryView,
      handle: (input) => input.auth.admin.webhooks.test(owner(input), input.params.id),
    }),
    cursorRoute({
      ...all,
      path: `${prefix}/{id}/deliveries`,
      operationId: named('listWebhookDeliveries'),
      summary: `List the deliveries of a webhook${ofCompany}`,
      description:
        'Newest first. Of a response only the status and the kind of failure are kept. The cursor of the next page is in ' +
        '`X-Next-Cursor`; the last page has none.',
      failures: ['not_found'],
      params: params.one,
      filter: webhookDeliveryFilter,
      item: webhookDeliveryView,
      handle: (input) => input.auth.admin.webhooks.deliveries(owner(input), input.params.id, input.query),
    }),
  ];
}

function sendingRoutes(variant: RouteVariant): Route[] {
  const { prefix, named } = variant;
  const { change, params, owner, ofCompany } = partsOf(variant);
  return [
    route({
      ...change,
      method: 'post',
      path: `${prefix}/{id}/deliveries/{deliveryId}/retry`,
      operationId: named('retryWebhookDelivery'),
      summary: `Send a delivery of a webhook${ofCompany} again`,
      description: 'Under the same id, whatever became of it. 409 for a webhook that is not active.',
      failures: ['not_found', 'conflict'],
      params: params.delivery,
      reply: webhookDeliveryView,
      handle: (input) =>
        input.auth.admin.webhooks.retry(owner(input), input.params.id, input.params.deliveryId),
    }),
    route({
      ...change,
      method: 'post',
      path: `${prefix}/{id}/replay`,
      operationId: named('replayWebhook'),
      summary: `Send a webhook${ofCompany} the events of a time again`,
      description:
        'From the audit log, at most 10,000 entries of the last 30 days. Deliveries keep their ids, so receivers recognize them.',
      failures: ['not_found', 'conflict'],
      params: params.one,
      body: replayWebhookInput,
      reply: replayedWebhook,
      handle: (input) => input.auth.admin.webhooks.replay(owner(input), input.params.id, input.body),
    }),
  ];
}

const isOn = ({ facts }: Auth): boolean => facts.webhooks !== 'off';
const isOnForCompanies = ({ facts }: Auth): boolean => facts.webhooks === 'all';

/** The webhooks of the platform and of companies, for users. */
export const webhookRoutesForPeople: Route[] = [
  ...webhookRoutes({
    prefix: '/internal/webhooks',
    named: (operationId) => operationId,
    tag: 'Webhooks',
    caller: staff('operate'),
    offered: isOn,
    isOfCompany: false,
    stepUp: { maxAge: 'STAFF_STEP_UP' },
  }),
  ...webhookRoutes({
    prefix: '/internal/companies/{companyId}/webhooks',
    named: (operationId) => operationId.replace('Webhook', 'CompanyWebhook'),
    tag: 'Webhooks',
    caller: companyAdministrator,
    offered: isOnForCompanies,
    isOfCompany: true,
    refusedWhileActing: true,
  }),
];

/** The webhooks of the platform, for machines. */
export const webhookRoutesForMachines: Route[] = webhookRoutes({
  prefix: '/internal/admin/webhooks',
  named: (operationId) => `${operationId}AsMachine`,
  tag: 'Webhooks (machines)',
  caller: internalKey,
  offered: isOn,
  isOfCompany: false,
});
