import { useMemo } from 'react';
import type { Schemas } from '../api/routes.js';
import { useUserState, type CurrentUser } from './use-user.js';

/** The companies of the signed-in user, and the one that this tab is at work in. */
export interface CurrentCompanies extends Omit<CurrentUser, 'user'> {
  companies: Schemas['CompanyMembership'][];
  /** The chosen one, or the first; undefined without any. */
  company: Schemas['CompanyMembership'] | undefined;
  /** Chooses a company for this tab. */
  choose: (companyId: string) => void;
}

/**
 * Returns the active memberships of the signed-in user, and the chosen one. Each tab has its own choice, which survives a reload. What
 * the user may do there is up to `useAccess`.
 *
 * @example
 * const useMayChoose = (): boolean => useCompanies().companies.length > 1;
 */
export function useCompanies(): CurrentCompanies {
  const [{ status, user, error, chosenCompanyId }, { reload, choose }] = useUserState();
  const companies = useMemo(() => user?.companyMemberships.filter(({ isActive }) => isActive) ?? [], [user]);
  const company = companies.find(({ companyId }) => companyId === chosenCompanyId) ?? companies[0];
  return { status, error, reload, companies, company, choose };
}

/**
 * Returns the company that this tab is at work in: the chosen one, or the first. Undefined without any, and until it is known.
 *
 * @example
 * const useIsAdministrator = (): boolean => useCompany()?.role === 'ADMIN';
 */
export function useCompany(): Schemas['CompanyMembership'] | undefined {
  return useCompanies().company;
}
