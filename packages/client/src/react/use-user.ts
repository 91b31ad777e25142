import { useContext, useSyncExternalStore } from 'react';
import { ProviderContext, missingProvider } from './provider.js';
import { LOADING, type UserState, type UserStore } from './user-store.js';

/** The signed-in user, and a function that asks again, such as after a change of the profile. */
export type CurrentUser = Omit<UserState, 'chosenCompanyId'> & { reload: () => Promise<void> };

/**
 * Returns the signed-in user. The service is asked once for all components, and again when another user signs in.
 *
 * @example
 * const useGreeting = (): string => `Hello ${useUser().user?.name ?? ''}`;
 */
export function useUser(): CurrentUser {
  const [{ status, user, error }, { reload }] = useUserState();
  return { status, user, error, reload };
}

/** Returns the state of the user with its store. */
export function useUserState(): [UserState, UserStore] {
  const { users } = useContext(ProviderContext) ?? missingProvider();
  return [useSyncExternalStore(users.subscribe, users.current, () => LOADING), users];
}
