import { z } from 'zod';
import type { Administrator, FinanceActor } from '@latchkey/core';
import {
  businessUnitFinanceInput,
  businessUnitMembershipView,
  businessUnitMembershipKeyInput,
  companyApprovalLimitInput,
  companyFinanceInput,
  companyMembershipView,
  companyMembershipKeyInput,
  uuidInput,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { membershipCallers, type CompanyAdministrator } from '../../callers/company-admin.js';
import { internalKey } from '../../callers/internal-key.js';
import { route, type Route } from '../../routing/route.js';
import { machines, people, type Audience } from '../../routing/tag.js';

/** One of the two mounts of the finance routes: its callers, and the actor of their changes. */
interface RouteVariant<Identity, Headers extends z.ZodObject> {
  prefix: string;
  audience: Audience;
  caller: Caller<Identity>;
  headers: Headers;
  actorOf: (caller: Identity, headers: z.output<Headers>) => FinanceActor;
}

const userVariant: RouteVariant<CompanyAdministrator, z.ZodObject> = {
  prefix: '/internal/companies/{companyId}',
  audience: people,
  caller: membershipCallers.write,
  headers: z.object({}),
  actorOf: ({ userId }) => ({ userId }),
};

const ACTOR_HEADER = 'x-actor-user-id';
const actorHeader = z.object({
  [ACTOR_HEADER]: uuidInput.describe(
    'Id of the user that the service acts for; an active member of the company.',
  ),
});

/** Services act for a user that they have authorized. */
const machineVariant: RouteVariant<Administrator, typeof actorHeader> = {
  prefix: '/internal/admin/companies/{companyId}',
  audience: machines,
  caller: internalKey,
  headers: actorHeader,
  actorOf: (machine, headers) => ({ userId: headers[ACTOR_HEADER], machine }),
};

function financeRoutes<Identity, Headers extends z.ZodObject>(
  variant: RouteVariant<Identity, Headers>,
): Route[] {
  const { prefix, audience, actorOf, ...rest } = variant;
  return [
    route({
      method: 'patch',
      path: `${prefix}/business-units/{businessUnitId}/finance-memberships/{userId}`,
      operationId: audience.named('updateBusinessUnitFinance'),
      tag: audience.tagged('Finance'),
      summary: 'Change the finance role of a member of a business unit',
      description:
        'Role, approval limit and primary approver, who must be an `APPROVER`. A new primary replaces the previous one. Users cannot raise their own authority.',
      failures: ['not_found', 'conflict'],
      refusedWhileActing: audience === people,
      ...rest,
      params: businessUnitMembershipKeyInput,
      body: businessUnitFinanceInput,
      reply: businessUnitMembershipView,
      handle: ({ auth, caller, headers, params, body, client }) =>
        auth.financeWorkflow.patchBusinessUnit(actorOf(caller, headers), params, body, client),
    }),
    route({
      method: 'patch',
      path: `${prefix}/finance-memberships/{userId}`,
      operationId: audience.named('updateCompanyFinance'),
      tag: audience.tagged('Finance'),
      summary: 'Change the finance role of a member of a company',
      description:
        'Role, approval limit and Primary Finance Admin. A new primary replaces the previous one. Users cannot raise their own authority.',
      failures: ['not_found', 'conflict'],
      refusedWhileActing: audience === people,
      ...rest,
      params: companyMembershipKeyInput,
      body: companyFinanceInput,
      reply: companyMembershipView,
      handle: ({ auth, caller, headers, params, body, client }) =>
        auth.financeWorkflow.patchCompany(actorOf(caller, headers), params, body, client),
    }),
    approvalLimitRoute(variant),
  ];
}

function approvalLimitRoute<Identity, Headers extends z.ZodObject>({
  prefix,
  audience,
  actorOf,
  ...rest
}: RouteVariant<Identity, Headers>): Route {
  return route({
    method: 'patch',
    path: `${prefix}/company-approval-limit/{userId}`,
    operationId: audience.named('setCompanyApprovalLimit'),
    tag: audience.tagged('Finance'),
    summary: 'Set the approval limit of a member of a company',
    description: 'A decimal as text; null is unlimited.',
    failures: ['not_found', 'conflict'],
    refusedWhileActing: audience === people,
    ...rest,
    params: companyMembershipKeyInput,
    body: companyApprovalLimitInput,
    reply: companyMembershipView,
    handle: ({ auth, caller, headers, params, body, client }) =>
      auth.financeWorkflow.setApprovalLimit(actorOf(caller, headers), params, body, client),
  });
}

export const peopleFinanceRoutes: Route[] = financeRoutes(userVariant);
export const machineFinanceRoutes: Route[] = financeRoutes(machineVariant);
