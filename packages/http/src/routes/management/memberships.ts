import type { Administrator } from '@latchkey/core';
import {
  businessUnitInput,
  businessUnitMembershipInput,
  businessUnitMembershipView,
  businessUnitUserView,
  companyMembershipInput,
  companyMembershipView,
  companyUserView,
  keyInput,
  MAX_PEOPLE,
  memberFilter,
  memberView,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { membershipCallers } from '../../callers/company-admin.js';
import { internalKey } from '../../callers/internal-key.js';
import { listRoute, route, type Route } from '../../routing/route.js';
import { machines, people, type Audience } from '../../routing/tag.js';

/** One of the two mounts of the membership routes: the callers that list, and the callers that write. */
interface RouteVariant {
  prefix: string;
  audience: Audience;
  list: Caller<Administrator>;
  write: Caller<Administrator>;
}

const userVariant: RouteVariant = {
  prefix: '/internal/companies/{companyId}',
  audience: people,
  ...membershipCallers,
};

const machineVariant: RouteVariant = {
  prefix: '/internal/admin/companies/{companyId}',
  audience: machines,
  list: internalKey,
  write: internalKey,
};

const company = businessUnitInput.pick({ companyId: true });

const companyUsers = ({ prefix, audience, list }: RouteVariant): Route =>
  listRoute({
    path: `${prefix}/users`,
    operationId: audience.named('listCompanyMembers'),
    tag: audience.tagged('Members'),
    summary: 'List the active members of a company',
    description:
      '`role` and `search` find members. With `module`, only members of the page with that module; the total still counts all members.',
    caller: list,
    params: company,
    filter: memberFilter.extend({
      module: keyInput.optional().describe('Only members with this module.'),
    }),
    item: companyUserView,
    grows: true,
    handle: ({ auth, params: { companyId }, query: { module, limit, offset, cursor, ...filter } }) =>
      auth.members.companyUsers(
        companyId,
        { limit, offset, cursor },
        module === undefined
          ? undefined
          : (members) => auth.access.holdersOfModule(companyId, module, members),
        filter,
      ),
    long: {
      maxLimit: MAX_PEOPLE,
      handle: async ({ auth, params: { companyId }, query: { module, limit, offset, cursor, ...filter } }) =>
        auth.members.companyUsersInSlices(
          companyId,
          { limit, offset, cursor },
          module === undefined ? undefined : await auth.access.holderFilter(companyId, module),
          filter,
        ),
    },
  });

const businessUnitUsers = ({ prefix, audience, list }: RouteVariant): Route =>
  listRoute({
    path: `${prefix}/business-units/{businessUnitId}/users`,
    operationId: audience.named('listBusinessUnitMembers'),
    tag: audience.tagged('Members'),
    summary: 'List the active members of a business unit',
    description: 'Active members of the company who are active in the unit.',
    caller: list,
    params: businessUnitInput,
    item: businessUnitUserView,
    grows: true,
    handle: ({ auth, params, query }) => auth.members.businessUnitUsers(params, query),
    long: {
      maxLimit: MAX_PEOPLE,
      handle: ({ auth, params, query }) => auth.members.businessUnitUsersInSlices(params, query),
    },
  });

const writeMembership = ({ prefix, audience, write }: RouteVariant): Route =>
  route({
    method: 'post',
    path: `${prefix}/memberships`,
    operationId: audience.named('saveCompanyMembership'),
    tag: audience.tagged('Members'),
    summary: 'Add or change a membership of a company',
    description:
      'Omitted fields stay unchanged. `isActive: false` ends the membership and those of the business units of the company.',
    failures: ['not_found', 'conflict'],
    refusedWhileActing: audience === people,
    caller: write,
    params: company,
    body: companyMembershipInput,
    reply: companyMembershipView,
    handle: ({ auth, caller, params, body, client }) =>
      auth.memberships.upsertCompany(caller, params.companyId, body, client),
  });

const writeBusinessUnitMembership = ({ prefix, audience, write }: RouteVariant): Route =>
  route({
    method: 'post',
    path: `${prefix}/business-units/{businessUnitId}/memberships`,
    operationId: audience.named('saveBusinessUnitMembership'),
    tag: audience.tagged('Members'),
    summary: 'Add or change a membership of a business unit',
    description: '409 without an active membership of the company, and for a unit of another company.',
    failures: ['not_found', 'conflict'],
    refusedWhileActing: audience === people,
    caller: write,
    params: businessUnitInput,
    body: businessUnitMembershipInput,
    reply: businessUnitMembershipView,
    handle: ({ auth, caller, params, body, client }) =>
      auth.memberships.upsertBusinessUnit(caller, params, body, client),
  });

const membershipRoutes = (variant: RouteVariant): Route[] => [
  companyUsers(variant),
  writeMembership(variant),
  businessUnitUsers(variant),
  writeBusinessUnitMembership(variant),
];

const companyMembers = listRoute({
  path: `${machineVariant.prefix}/memberships`,
  operationId: 'listCompanyMemberships',
  tag: 'Members (machines)',
  summary: 'List all memberships of a company',
  description: 'Active or not, each with its user and business units.',
  caller: internalKey,
  params: company,
  item: memberView,
  grows: true,
  handle: ({ auth, params, query }) => auth.members.companyMembers(params.companyId, query),
  long: {
    maxLimit: MAX_PEOPLE,
    handle: ({ auth, params, query }) => auth.members.companyMembersInSlices(params.companyId, query),
  },
});

export const peopleMembershipRoutes: Route[] = membershipRoutes(userVariant);
export const machineMembershipRoutes: Route[] = [...membershipRoutes(machineVariant), companyMembers];
