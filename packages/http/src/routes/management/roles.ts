import { z } from 'zod';
import type { Administrator, ListedRoleView } from '@latchkey/core';
import {
  companyRoleKeyInput,
  CREDENTIAL_MAX_AGE,
  listedRole,
  removedRole,
  roleInput,
  rolePreview,
  rolePreviewInput,
  roleRemovalInput,
  savedRole,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { companyAdministrator, companyReader } from '../../callers/company-admin.js';
import { internalKey } from '../../callers/internal-key.js';
import { staff } from '../../callers/staff.js';
import { companyContext } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import { machines, people, type Audience } from '../../routing/tag.js';

/** One of the mounts of the role routes: of companies or of templates, for people or for machines. */
interface RouteVariant {
  prefix: string;
  audience: Audience;
  list: Caller<Administrator>;
  write: Caller<Administrator>;
}

/** The names and parameters of the routes of companies, or of templates. */
interface RoleKind<Params extends z.ZodObject, Headers extends z.ZodObject> {
  noun: 'Role' | 'RoleTemplate';
  /** Continues sentences about a role. */
  owner: string;
  params: Params;
  /** Headers of a preview. */
  headers: Headers;
  roleOf: (params: z.output<Params>) => { companyId: string | null; key: string };
  /** The company whose members a preview compares. */
  previewIn: (params: z.output<Params>, headers: z.output<Headers>) => string | null;
}

const nothing = z.object({});

const ofCompany: RoleKind<typeof companyRoleKeyInput, typeof nothing> = {
  noun: 'Role',
  owner: 'of a company',
  params: companyRoleKeyInput,
  headers: nothing,
  roleOf: (path) => path,
  previewIn: ({ companyId }) => companyId,
};

const templateKey = companyRoleKeyInput.pick({ key: true });
const ofTemplates: RoleKind<typeof templateKey, typeof companyContext> = {
  noun: 'RoleTemplate',
  owner: 'for all companies without a definition of their own',
  params: templateKey,
  headers: companyContext,
  roleOf: ({ key }) => ({ companyId: null, key }),
  previewIn: (_params, headers) => headers['x-org'],
};

/** People have proved their identity lately, with a second factor if they have one. */
const stepUpOf = (audience: Audience) =>
  audience === people
    ? { stepUp: { maxAge: CREDENTIAL_MAX_AGE, factorMaxAge: CREDENTIAL_MAX_AGE } }
    : undefined;

const saveRoute = <Params extends z.ZodObject, Headers extends z.ZodObject>(
  { noun, owner, params, roleOf }: RoleKind<Params, Headers>,
  { prefix, audience, write }: RouteVariant,
): Route =>
  route({
    method: 'put',
    path: `${prefix}/roles/{key}`,
    operationId: audience.named(`save${noun}`),
    tag: audience.tagged('Roles'),
    summary: `Define a role ${owner}, or replace its definition`,
    description:
      'Its members have the modules, permissions and delegation in addition to their own, from their next request on; ' +
      'defining a role narrows members without module grants, who had every module. With `version`, 409 `role_changed` ' +
      'unless it is in effect. Open invitations that become too wide are cancelled.',
    failures: ['conflict'],
    ...stepUpOf(audience),
    caller: write,
    params,
    body: roleInput,
    reply: savedRole,
    isNew: (result) => (result as { isNew: boolean }).isNew,
    handle: ({ auth, caller, params: path, body, client }) =>
      auth.roles.save(caller, roleOf(path), body, client),
  });

const removeRoute = <Params extends z.ZodObject, Headers extends z.ZodObject>(
  { noun, owner, params, roleOf }: RoleKind<Params, Headers>,
  { prefix, audience, write }: RouteVariant,
): Route =>
  route({
    method: 'delete',
    path: `${prefix}/roles/{key}`,
    operationId: audience.named(`remove${noun}`),
    tag: audience.tagged('Roles'),
    summary: `Remove the definition of a role ${owner}`,
    description:
      'Members of a role of a company get the template of the same key. Without one, 409 `role_in_use` while it has members, ' +
      'unless `moveTo` names the role that they and open invitations get; without `moveTo`, open invitations are cancelled.',
    failures: ['not_found', 'conflict'],
    ...stepUpOf(audience),
    caller: write,
    params,
    body: roleRemovalInput,
    bodyOptional: true,
    reply: removedRole,
    handle: ({ auth, caller, params: path, body, client }) =>
      auth.roles.remove(caller, roleOf(path), body, client),
  });

const previewRoute = <Params extends z.ZodObject, Headers extends z.ZodObject>(
  { noun, owner, params, headers, roleOf, previewIn }: RoleKind<Params, Headers>,
  { prefix, audience, write }: RouteVariant,
): Route =>
  route({
    method: 'post',
    path: `${prefix}/roles/{key}/preview`,
    operationId: audience.named(`preview${noun}`),
    tag: audience.tagged('Roles'),
    summary: `Preview a change of a role ${owner}`,
    description:
      'What up to 1,000 of its members would gain and lose, with the entitlements of the company. Writes nothing. ' +
      '`{ "remove": true }` previews the removal of the definition.',
    failures: ['not_found', 'conflict', 'service_unavailable'],
    caller: write,
    headers,
    params,
    body: rolePreviewInput,
    reply: rolePreview,
    handle: ({ auth, params: path, headers: context, body }) =>
      auth.admin.rolePreview.of(roleOf(path), body, previewIn(path, context)),
  });

const roleRoutes = <Params extends z.ZodObject, Headers extends z.ZodObject>(
  kind: RoleKind<Params, Headers>,
  variant: RouteVariant,
): Route[] => [saveRoute(kind, variant), removeRoute(kind, variant), previewRoute(kind, variant)];

const company = companyRoleKeyInput.pick({ companyId: true });

const listOfCompany = ({ prefix, audience, list }: RouteVariant): Route =>
  route({
    method: 'get',
    path: `${prefix}/roles`,
    operationId: audience.named('listRoles'),
    tag: audience.tagged('Roles'),
    summary: 'List the defined roles of a company',
    description: 'By key: its own definitions, and the templates that none of them replaces.',
    caller: list,
    params: company,
    reply: z.array(listedRole),
    handle: ({ auth, params: { companyId } }): Promise<ListedRoleView[]> => auth.roles.list(companyId),
  });

const listOfTemplates = ({ prefix, audience, list }: RouteVariant): Route =>
  route({
    method: 'get',
    path: `${prefix}/roles`,
    operationId: audience.named('listRoleTemplates'),
    tag: audience.tagged('Roles'),
    summary: 'List the templates of roles',
    description: 'By key. A template is the definition in every company without one of its own.',
    caller: list,
    reply: z.array(listedRole),
    handle: ({ auth }): Promise<ListedRoleView[]> => auth.roles.list(null),
  });

const routesOfCompany = (variant: RouteVariant): Route[] => [
  listOfCompany(variant),
  ...roleRoutes(ofCompany, variant),
];
const routesOfTemplates = (variant: RouteVariant): Route[] => [
  listOfTemplates(variant),
  ...roleRoutes(ofTemplates, variant),
];

export const peopleRoleRoutes: Route[] = [
  ...routesOfCompany({
    prefix: '/internal/companies/{companyId}',
    audience: people,
    list: companyReader,
    write: companyAdministrator,
  }),
  ...routesOfTemplates({
    prefix: '/internal',
    audience: people,
    list: staff('read'),
    write: staff('operate'),
  }),
];

const forMachines = { audience: machines, list: internalKey, write: internalKey };
export const machineRoleRoutes: Route[] = [
  ...routesOfCompany({ prefix: '/internal/admin/companies/{companyId}', ...forMachines }),
  ...routesOfTemplates({ prefix: '/internal/admin', ...forMachines }),
];
