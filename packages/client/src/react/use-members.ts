import { useCallback, useEffect, useState } from 'react';
import type { RequestError } from '../api/requester.js';
import type { Schemas } from '../api/routes.js';
import { useSession } from './use-session.js';

/** The members to find, and how many. */
export interface MembersFilter {
  /** The start of an email or a part of a name. */
  search?: string | undefined;
  role?: string | undefined;
  /** Defaults to 25. */
  limit?: number | undefined;
}

/** The members of a company, newest first. Only those who administer it may read them: others have the error `forbidden`. */
export interface MembersState {
  status: 'loading' | 'ready' | 'error';
  /** Those of the same company before stay while others are found. */
  members: readonly Schemas['CompanyUser'][];
  /** The number of all that were found. */
  total: number | undefined;
  error: RequestError<'GET', '/internal/companies/{companyId}/users'> | undefined;
  /** Asks the service again. */
  reload: () => void;
}

const LOADING: Omit<MembersState, 'reload'> = {
  status: 'loading',
  members: [],
  total: undefined,
  error: undefined,
};

/**
 * Returns active members of a company. Asks again when company, user or filter change; members of another company are never returned
 * meanwhile. Without a company nothing is asked for.
 *
 * @example
 * const useMemberCount = (companyId: string): number | undefined => useMembers(companyId, { limit: 1 }).total;
 */
export function useMembers(
  companyId: string | undefined,
  { search = '', role = '', limit = 25 }: MembersFilter = {},
): MembersState {
  const { state, client } = useSession();
  const [round, setRound] = useState(0);
  const owner = `${companyId ?? ''} ${state.status === 'signed_in' ? state.id : state.status}`;
  const [answer, setAnswer] = useState<{ owner: string; outcome: Omit<MembersState, 'reload'> }>();
  useEffect(() => {
    if (companyId === undefined || state.status === 'unknown') return undefined;
    let isCurrent = true;
    const query = { limit, ...(search !== '' && { search }), ...(role !== '' && { role }) };
    void client.companies.members(companyId, query).then(({ data, error, response }) => {
      if (!isCurrent) return;
      const total = Number(response?.headers.get('x-total-count') ?? data?.length);
      setAnswer({
        owner,
        outcome: data
          ? { status: 'ready', members: data, total, error: undefined }
          : { ...LOADING, status: 'error', error },
      });
    });
    return () => void (isCurrent = false);
    // The owner names company and session.
  }, [client, owner, search, role, limit, round]);
  const reload = useCallback(() => setRound((current) => current + 1), []);
  return { ...(answer?.owner === owner ? answer.outcome : LOADING), reload };
}
