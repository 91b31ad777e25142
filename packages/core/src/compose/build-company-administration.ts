import { PolicyPreview } from '../access/policy-preview.js';
import { InvitationAdministration } from '../invitations/invitation-administration.js';
import type { Logger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import type { Outbox } from '../mail/outbox.js';
import { MembershipDirectory } from '../memberships/membership-directory.js';
import type { Settings } from '../settings/settings.js';
import type { CompanyAdministration } from './administration.js';
import { buildAccess, openEntitlements, type AccessOptions } from './build-access.js';
import type { InvitationCollaborators } from './build-invitations.js';
import type { Repositories } from './repositories.js';

interface CompanyAdministrationDeps extends AccessOptions {
  readonly repositories: Repositories;
  readonly invitations: InvitationCollaborators;
  readonly outbox: Outbox;
  readonly logger: Logger;
}

/** Builds the services by which operators manage all companies. */
export function buildCompanyAdministration(
  settings: Settings,
  deps: CompanyAdministrationDeps,
): CompanyAdministration {
  const { repositories, entitlements, outbox, invitations } = deps;
  return {
    members: new MembershipDirectory(repositories.membershipQueries),
    access: buildAccess(settings, { ...deps, observer: unobserved }),
    policyPreview: new PolicyPreview({
      ...repositories,
      entitlements: openEntitlements(settings.coreService, entitlements, unobserved),
    }),
    invitationAdministration: new InvitationAdministration({ ...repositories, ...invitations, outbox }),
  };
}
