import { useCallback, useEffect, useState } from 'react';
import type { RequestError } from '../api/requester.js';
import type { ResponseData } from '../api/routes.js';
import { useSession } from './use-session.js';

/** The access of the signed-in user in a company. An error other than `forbidden` is no denial: offer `reload`. */
export interface AccessState {
  status: 'loading' | 'ready' | 'error';
  access: ResponseData<'GET', '/auth/me/access'> | undefined;
  error: RequestError<'GET', '/auth/me/access'> | undefined;
  /** Asks the service again. */
  reload: () => void;
}

type Outcome = Pick<AccessState, 'status' | 'access' | 'error'>;

const LOADING: Outcome = { status: 'loading', access: undefined, error: undefined };

/**
 * Returns the access of the signed-in user in a company. Asks again when the company or the user changes, and never
 * returns the access of the previous one meanwhile.
 *
 * @example
 * const useMayApprove = (companyId: string): boolean =>
 *   useAccess(companyId).access?.permissions.includes('invoices:approve') ?? false;
 */
export function useAccess(companyId: string): AccessState {
  const { state, client } = useSession();
  const [round, setRound] = useState(0);
  const question = `${companyId} ${state.status === 'signed_in' ? state.id : state.status} ${round}`;
  const [answer, setAnswer] = useState<{ question: string; outcome: Outcome }>();
  useEffect(() => {
    if (state.status === 'unknown') return undefined;
    let isCurrent = true;
    void client.access(companyId).then(({ data, error }) => {
      if (!isCurrent) return;
      const outcome: Outcome = { status: error ? 'error' : 'ready', access: data, error };
      setAnswer({ question, outcome });
    });
    return () => void (isCurrent = false);
    // The question names company, session and round.
  }, [client, question]);
  const reload = useCallback(() => setRound((current) => current + 1), []);
  return { ...(answer?.question === question ? answer.outcome : LOADING), reload };
}
