import { useSyncExternalStore } from 'react';
import type { Client } from '../client.js';
import type { SessionState } from '../session/session-state.js';
import { useClient } from './provider.js';

const UNKNOWN: SessionState = { status: 'unknown' };

/** The state of the session, and the client of the provider. */
export interface CurrentSession {
  state: SessionState;
  client: Client;
}

/**
 * Returns the state of the session and renders again when it changes, also by another tab.
 *
 * @example
 * const useGreeting = (): string => (useSession().state.status === 'signed_in' ? 'Welcome' : 'Sign in');
 */
export function useSession(): CurrentSession {
  const client = useClient();
  const state = useSyncExternalStore(
    client.session.subscribe,
    () => client.session.state,
    // The page that a server has rendered knows of no session, whatever this browser has.
    () => UNKNOWN,
  );
  return { state, client };
}
