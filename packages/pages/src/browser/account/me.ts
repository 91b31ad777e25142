import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Me } from '../session.js';

/** The signed-in user, and how to read them again after a change. */
interface Account {
  me: Me;
  reload: () => Promise<void>;
  /** Shows that the account is deleted at this time. */
  closed: (deleteAt: string) => void;
}

export const AccountContext = createContext<Account | undefined>(undefined);

/** Returns the signed-in user. @throws TypeError outside the page that has one. */
export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new TypeError('there is no account yet');
  return account;
}
