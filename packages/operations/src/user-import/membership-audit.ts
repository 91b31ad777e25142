import type { AuditEvent } from '@latchkey/core/internal/audit/audit-event';
import type { WrittenMemberships } from './membership-importer.js';

/** Returns an event for each membership that an import has written. */
export function membershipEvents(
  { companies, businessUnits }: WrittenMemberships,
  cause: Pick<AuditEvent, 'actor' | 'client'> & { importId: string },
): AuditEvent[] {
  const { actor, client, importId } = cause;
  const shared = { outcome: 'success', actor, client } as const;
  return [
    ...companies.map(({ rows: { userId, companyId, imported }, isPrimary }): AuditEvent => {
      const { role, isActive, approvalLimit, financeRole, moduleGrants, permissionGrants } = imported;
      const rights = { role, isActive, approvalLimit, financeRole, moduleGrants, permissionGrants };
      const { delegation, moduleRules } = imported;
      const details = { importId, ...rights, delegation, moduleRules, isPrimaryFinanceAdmin: isPrimary };
      return { ...shared, event: 'membership_created', subjectUserId: userId, companyId, details };
    }),
    ...businessUnits.map(({ row, isPrimary }): AuditEvent => {
      const { business_unit_id: businessUnitId, is_active: isActive, finance_role: financeRole } = row;
      const { approval_limit: approvalLimit, user_id: subjectUserId, company_id: companyId } = row;
      const state = { businessUnitId, isActive, financeRole, approvalLimit, isPrimaryApprover: isPrimary };
      const details = { importId, ...state };
      return { ...shared, event: 'business_unit_membership_changed', subjectUserId, companyId, details };
    }),
  ];
}
