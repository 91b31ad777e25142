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

const stepUpOf = (audience: Audience) => (audience === people ? { stepUp: changesCredentials } : {});

const list = ({ prefix, audience, caller }: RouteVariant): Route =>
  listRoute({
    path: prefix,
    operationId: audience.named('listCompanyApiKeys'),
    tag: audience.tagged('Company API keys'),
    summary: 'List the API keys of a company',
    description: 'Newest first, without those that were revoked or have expired, and without personal keys.',
    offered,
    caller,
    params: company,
    item: apiKeyView,
    handle: ({ auth, caller: manager, params: { companyId }, query }) =>
      auth.apiKeys.company.list(manager, companyId, query),
  });

const create = ({ prefix, audience, caller }: RouteVariant): Route =>
  route({
    method: 'post',
    path: prefix,
    operationId: audience.named('createCompanyApiKey'),
    tag: audience.tagged('Company API keys'),
    summary: 'Make an API key of a company',
    description:
      'The key is in the response and cannot be read later. It has the modules and permissions of its lists, cut by the entitlements of the company at each use, and outlives its creator. 403, reason `offer_exceeds_authority`, for more than the caller may offer in an invitation. 409 for more than 100 keys.',
    failures: ['forbidden', 'conflict', 'rate_limited'],
    atMost: '20 an hour and user, or company for machines',
    ...stepUpOf(audience),
    offered,
    caller,
    params: company,
    body: companyApiKeyInput,
    reply: newApiKey,
    status: 201,
    handle: ({ auth, caller: manager, params: { companyId }, body, client }) =>
      auth.apiKeys.company.create(manager, companyId, body, client),
  });

const rename = ({ prefix, audience, caller }: RouteVariant): Route =>
  route({
    method: 'patch',
    path: `${prefix}/{id}`,
    operationId: audience.named('renameCompanyApiKey'),
    tag: audience.tagged('Company API keys'),
    summary: 'Rename an API key of a company',
    description: 'Only the name of a key can be changed.',
    failures: ['not_found'],
    ...stepUpOf(audience),
    offered,
    caller,
    params: companyApiKeyIds,
    body: apiKeyPatchInput,
    reply: apiKeyView,
    handle: ({ auth, caller: manager, params, body, client }) =>
      auth.apiKeys.company.rename(manager, params, body.name, client),
  });

const rotate = ({ prefix, audience, caller }: RouteVariant): Route =>
  route({
    method: 'post',
    path: `${prefix}/{id}/rotate`,
    operationId: audience.named('rotateCompanyApiKey'),
    tag: audience.tagged('Company API keys'),
    summary: 'Replace the text of an API key of a company',
    description:
      'The former key stops working at once, or after `overlap` seconds. 403, reason `offer_exceeds_authority`, for a key with more than the caller may offer.',
    failures: ['not_found'],
    ...stepUpOf(audience),
    offered,
    caller,
    params: companyApiKeyIds,
    body: rotateApiKeyInput,
    bodyOptional: true,
    reply: newApiKey,
    handle: ({ auth, caller: manager, params, body, client }) =>
      auth.apiKeys.company.rotate(manager, params, body, client),
  });

const revoke = ({ prefix, audience, caller }: RouteVariant): Route =>
  route({
    method: 'delete',
    path: `${prefix}/{id}`,
    operationId: audience.named('revokeCompanyApiKey'),
    tag: audience.tagged('Company API keys'),
    summary: 'Revoke an API key of a company',
    description: 'It stops working at once. Needs no step-up.',
    failures: ['not_found'],
    refusedWhileActing: audience === people,
    offered,
    caller,
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
