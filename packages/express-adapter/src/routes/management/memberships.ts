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
  memberView,
  uuidInput,
} from '@latchkey/core/schemas';
import { z } from 'zod';
import type { Caller } from '../../callers/caller.js';
import { companyAdministrator, companyReader } from '../../callers/company-admin.js';
import { internalKey } from '../../callers/internal-key.js';
import { listRoute, route, type Route } from '../../http/route.js';

/** One way to the people of a company: who lists them, and who gives them their places. */
interface Door {
  prefix: string;
  list: Caller<Administrator>;
  write: Caller<Administrator>;
}

const peopleDoor: Door = {
  prefix: '/internal/companies/{companyId}',
  list: companyReader,
  write: companyAdministrator,
};

const machineDoor: Door = {
  prefix: '/internal/admin/companies/{companyId}',
  list: internalKey,
  write: internalKey,
};

const company = z.object({ companyId: uuidInput });

const companyUsers = ({ prefix, list }: Door): Route =>
  listRoute({
    path: `${prefix}/users`,
    summary: 'Active users of a company; with `module`, those of the page who hold that module',
    caller: list,
    params: company,
    filter: z.object({ module: keyInput.optional() }),
    item: companyUserView,
    maxLimit: MAX_PEOPLE,
    handle: ({ auth, params: { companyId }, query: { module, ...page } }) =>
      auth.members.companyUsers(
        companyId,
        page,
        module === undefined
          ? undefined
          : (members) => auth.access.holdersOfModule(companyId, module, members),
      ),
  });

const businessUnitUsers = ({ prefix, list }: Door): Route =>
  listRoute({
    path: `${prefix}/business-units/{businessUnitId}/users`,
    summary: 'Active users of a business unit',
    caller: list,
    params: businessUnitInput,
    item: businessUnitUserView,
    maxLimit: MAX_PEOPLE,
    handle: ({ auth, params, query }) => auth.members.businessUnitUsers(params, query),
  });

const writeMembership = ({ prefix, write }: Door): Route =>
  route({
    method: 'post',
    path: `${prefix}/memberships`,
    summary: "Add or change a user's membership of a company",
    caller: write,
    params: company,
    body: companyMembershipInput,
    reply: companyMembershipView,
    handle: ({ auth, caller, params, body, client }) =>
      auth.memberships.upsertCompany(caller, params.companyId, body, client),
  });

const writeBusinessUnitMembership = ({ prefix, write }: Door): Route =>
  route({
    method: 'post',
    path: `${prefix}/business-units/{businessUnitId}/memberships`,
    summary: "Add or change a user's membership of a business unit",
    caller: write,
    params: businessUnitInput,
    body: businessUnitMembershipInput,
    reply: businessUnitMembershipView,
    handle: ({ auth, caller, params, body, client }) =>
      auth.memberships.upsertBusinessUnit(caller, params, body, client),
  });

const membershipRoutes = (door: Door): Route[] => [
  companyUsers(door),
  writeMembership(door),
  businessUnitUsers(door),
  writeBusinessUnitMembership(door),
];

const companyMembers = listRoute({
  path: `${machineDoor.prefix}/memberships`,
  summary: 'Memberships of a company, active or not, with user and business units',
  caller: internalKey,
  params: company,
  item: memberView,
  maxLimit: MAX_PEOPLE,
  handle: ({ auth, params, query }) => auth.members.companyMembers(params.companyId, query),
});

export const peopleMembershipRoutes: Route[] = membershipRoutes(peopleDoor);
export const machineMembershipRoutes: Route[] = [...membershipRoutes(machineDoor), companyMembers];
