import type { Auth, CompanyKeyManager } from '@latchkey/core';
import {
  apiKeyPatchInput,
  apiKeyView,
  companyApiKeyIds,
  companyApiKeyInput,
  newApiKey,
  rotateApiKeyInput,
  statusOk,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { companyKeyManager } from '../../callers/company-admin.js';
import { internalKey } from '../../callers/internal-key.js';
import { listRoute, route, type Route } from '../../routing/route.js';
import { machines, people, type Audience } from '../../routing/tag.js';
import { changesCredentials } from '../auth/credential-change.js';

/** One of the two mounts of the routes: the paths, and the callers. */
interface RouteVariant {
  prefix: string;
  audience: Audience;
  caller: Caller<CompanyKeyManager>;
}

const userVariant: RouteVariant = {
  prefix: '/internal/companies/{companyId}/api-keys',
  audience: people,
  caller: companyKeyManager,
};

const machineVariant: RouteVariant = {
  prefix: '/internal/admin/companies/{companyId}/api-keys',
  audience: machines,
  caller: internalKey,
};

const offered = ({ settings: { apiKeys } }: Auth): boolean =>
  apiKeys.mode === 'company' || apiKeys.mode === 'all';

const company = companyApiKeyIds.pick({ companyId: true });

/** Returns the options of all routes of a variant. */
const allOf = ({ audience, caller }: RouteVariant) => ({
  tag: audience.tagged('Company API keys'),
  offered,
  caller,
});
const changingOf = (variant: RouteVariant) => ({
  ...allOf(variant),
  ...(variant.audience === people ? { stepUp: changesCredentials } : {}),
});

const list = (variant: RouteVariant): Route =>
  listRoute({
    ...allOf(variant),
    path: variant.prefix,
    operationId: variant.audience.named('listCompanyApiKeys'),
    summary: 'List the API keys of a company',
    description: 'Newest first, without those that were revoked or have expired, and without personal keys.',
    params: company,
    item: apiKeyView,
    handle: ({ auth, caller: manager, params: { companyId }, query }) =>
      auth.apiKeys.company.list(manager, companyId, query),
  });

const create = (variant: RouteVariant): Route =>
  route({
    ...changingOf(variant),
    method: 'post',
    path: variant.prefix,
    operationId: variant.audience.named('createCompanyApiKey'),
    summary: 'Make an API key of a company',
    description:
      'The key is in the response and cannot be read later. It has the modules and permissions of its lists, cut by the entitlements of the company at each use, and outlives its creator. 403, reason `offer_exceeds_authority`, for more than the caller may offer in an invitation. 409 for more than 100 keys.',
    failures: ['forbidden', 'conflict', 'rate_limited'],
    atMost: '20 an hour and user, or company for machines',
    params: company,
    body: companyApiKeyInput,
    reply: newApiKey,
    status: 201,
    handle: ({ auth, caller: manager, params: { companyId }, body, client }) =>
      auth.apiKeys.company.create(manager, companyId, body, client),
  });

const rename = (variant: RouteVariant): Route =>
  route({
    ...changingOf(variant),
    method: 'patch',
    path: `${variant.prefix}/{id}`,
    operationId: variant.audience.named('renameCompanyApiKey'),
    summary: 'Rename an API key of a company',
    description: 'Only the name of a key can be changed.',
    failures: ['not_found'],
    params: companyApiKeyIds,
    body: apiKeyPatchInput,
    reply: apiKeyView,
    handle: ({ auth, caller: manager, params, body, client }) =>
      auth.apiKeys.company.rename(manager, params, body.name, client),
  });

const rotate = (variant: RouteVariant): Route =>
  route({
    ...changingOf(variant),
    method: 'post',
    path: `${variant.prefix}/{id}/rotate`,
    operationId: variant.audience.named('rotateCompanyApiKey'),
    summary: 'Replace the text of an API key of a company',
    description:
      'The former key stops working at once, or after `overlap` seconds. 403, reason `offer_exceeds_authority`, for a key with more than the caller may offer.',
    failures: ['not_found'],
    params: companyApiKeyIds,
    body: rotateApiKeyInput,
    bodyOptional: true,
    reply: newApiKey,
    handle: ({ auth, caller: manager, params, body, client }) =>
      auth.apiKeys.company.rotate(manager, params, body, client),
  });

const revoke = (variant: RouteVariant): Route =>
  route({
    ...allOf(variant),
    method: 'delete',
    path: `${variant.prefix}/{id}`,
    operationId: variant.audience.named('revokeCompanyApiKey'),
    summary: 'Revoke an API key of a company',
    description: 'It stops working at once. Needs no step-up.',
    failures: ['not_found'],
    refusedWhileActing: variant.audience === people,
    params: companyApiKeyIds,
    reply: statusOk,
    handle: ({ auth, caller: manager, params, client }) =>
      auth.apiKeys.company.revoke(manager, params, client),
  });

const routesOf = (variant: RouteVariant): Route[] => [
  list(variant),
  create(variant),
  rename(variant),
  rotate(variant),
  revoke(variant),
];

export const peopleApiKeyRoutes = routesOf(userVariant);
export const machineApiKeyRoutes = routesOf(machineVariant);
