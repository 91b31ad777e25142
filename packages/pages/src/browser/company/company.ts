import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { client } from '../client.js';
import { useQuery, type Outcome, type Query } from '../console/use-query.js';
import type { Failure } from '../failure.js';
import type { Me } from '../session.js';
import { useGuarded } from '../ui/step-up.js';
import { mayIn, type Authority } from './rights.js';

/** The company of the page. What the entitlements do not say is undefined. */
interface Company {
  id: string;
  name: string | undefined;
  /** The entitled modules and permissions. */
  modules: readonly string[] | undefined;
  permissions: readonly string[] | undefined;
  /** The rights that a delegate may grant; undefined for administrators, who may grant anything. */
  grantable: Pick<Schemas['Delegation'], 'grantableModules' | 'grantablePermissions'> | undefined;
}

interface CompanyState {
  me: Me;
  company: Company;
  authority: Authority;
  /** Reads again what the user may do here. */
  recheck: () => void;
}

export const CompanyContext = createContext<CompanyState | undefined>(undefined);

/** Returns the company of the page, and what the user may do there. @throws TypeError outside of it. */
export function useCompany(): CompanyState {
  const state = useContext(CompanyContext);
  if (!state) throw new TypeError('there is no company yet');
  return state;
}

/** Reports whether a failure means that the user may not do this in the company, or has no place in it any more. */
export const isRefusal = (failure: Failure): boolean =>
  failure.code === 'forbidden' || ('reason' in failure && failure.reason === 'company_not_found');

/** Loads data of the company like `useQuery`. A refusal reads the rights again, which may end the view. */
export function useCompanyQuery<Data>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Outcome<Data>>,
): Query<Data> {
  const { recheck } = useCompany();
  const query = useQuery(key, load);
  useEffect(() => {
    if (query.failure && isRefusal(query.failure)) recheck();
  }, [query.failure]);
  return query;
}

/** Returns a function that takes an action, after a fresh sign-in if it needs one, and returns its failure. */
export function useAct(): <Data>(
  action: () => Promise<Outcome<Data>>,
  done?: (data: Data) => void,
) => Promise<Failure | undefined> {
  const { recheck } = useCompany();
  const guarded = useGuarded();
  return async (action, done) => {
    const outcome = await guarded(action);
    if (outcome.error) {
      if (isRefusal(outcome.error)) recheck();
      return outcome.error;
    }
    if (outcome.data !== undefined) done?.(outcome.data);
    return undefined;
  };
}

/** Returns what is known of a user in a company from their profile alone. */
export function authorityOf({ id, globalRole, companyMemberships }: Me, companyId: string): Authority {
  const membership = companyMemberships.find((each) => each.companyId === companyId && each.isActive);
  const isDelegate = membership?.delegation.canManageUsers === true;
  return { userId: id, globalRole, role: membership?.role, isDelegate };
}

/** A company and what the user may do there, or why neither is known. */
export type Found = { company: Company; authority: Authority } | { failure: Failure };

/** Reports whether a company has members to show although its entitlements are unavailable or unknown. */
const isWithoutEntitlements = (failure: Failure, { role }: Authority): boolean =>
  failure.code === 'service_unavailable' ||
  (role !== undefined && 'reason' in failure && failure.reason === 'company_unknown');

/** Reads the company. Without its entitlements, only its id is known. */
export async function readCompany(me: Me, id: string): Promise<Found> {
  const authority = authorityOf(me, id);
  const unknown = { id, name: undefined, modules: undefined, permissions: undefined, grantable: undefined };
  if (mayIn(authority, 'read')) {
    const { data, error } = await client.companies.get(id);
    if (data) return { authority, company: { ...unknown, ...data, grantable: undefined } };
    return isWithoutEntitlements(error, authority) ? { authority, company: unknown } : { failure: error };
  }
  return readAsMember(me, authority, unknown);
}

/** Reads what a member may do: their role may make them a delegate, too. */
async function readAsMember(me: Me, authority: Authority, company: Company): Promise<Found> {
  const { data, error } = await client.access(company.id);
  if (error) {
    if (error.code !== 'service_unavailable') return { failure: error };
    const own = me.companyMemberships.find(({ companyId }) => companyId === company.id);
    return { authority, company: { ...company, grantable: own?.delegation } };
  }
  const { metadata, delegation } = data;
  return {
    authority: { ...authority, isDelegate: delegation.canManageUsers },
    company: {
      ...company,
      name: metadata.companyName,
      modules: metadata.entitledModules,
      grantable: delegation,
    },
  };
}
