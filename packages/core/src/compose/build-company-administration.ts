import { ModuleRuleRepository } from '../access/module-rule-repository.js';
import { PolicyPreview } from '../access/policy-preview.js';
import { InvitationAdministration } from '../invitations/invitation-administration.js';
import { InvitationListRepository } from '../invitations/invitation-list-repository.js';
import type { Logger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { Outbox } from '../mail/outbox.js';
import { MembershipDirectory } from '../memberships/membership-directory.js';
import { MembershipListRepository } from '../memberships/membership-list-repository.js';
import type { Settings } from '../settings/settings.js';
import type { CompanyAdministration } from './administration.js';
import { buildAccess, openEntitlements, type AccessOptions } from './build-access.js';
import type { InvitationParts } from './build-invitations.js';
import type { Records } from './build-records.js';

interface Needs extends AccessOptions {
  records: Records;
  outbox: Outbox;
  parts: InvitationParts;
  logger: Logger;
}

/** The services about companies for operators, who act for all of them. */
export function buildCompanyAdministration(settings: Settings, needs: Needs): CompanyAdministration {
  const { records, entitlements, outbox, parts } = needs;
  const lists = new MembershipListRepository(records.database);
  return {
    members: new MembershipDirectory(lists),
    access: buildAccess(settings, { ...needs, observer: unobserved }),
    policyPreview: new PolicyPreview({
      entitlements: openEntitlements(settings.coreService, entitlements, unobserved),
      rules: new ModuleRuleRepository(records.database),
      members: lists,
    }),
    invitationAdministration: new InvitationAdministration({
      ...parts,
      database: records.database,
      outbox,
      invitationLists: new InvitationListRepository(records.database),
    }),
  };
}
