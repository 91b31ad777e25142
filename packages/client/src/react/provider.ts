import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { Client } from '../client.js';
import { UserStore } from './user-store.js';

interface Provided {
  client: Client;
  users: UserStore;
  language: 'en' | 'de' | undefined;
}

/** The values that the components below a provider share. */
export const ProviderContext = createContext<Provided | undefined>(undefined);

/** The properties of `LatchkeyProvider`. */
export interface LatchkeyProviderProps {
  client: Client;
  /** The language of the ready-made components. Defaults to English. */
  language?: 'en' | 'de' | undefined;
  children?: ReactNode;
}

/**
 * Gives the components below it the client, and finds out whether there is a session. Create the client once, outside.
 *
 * @example
 * const App = (props: LatchkeyProviderProps) => LatchkeyProvider(props);
 */
export function LatchkeyProvider({ client, language, children }: LatchkeyProviderProps): ReactElement {
  useEffect(() => void client.session.ready(), [client]);
  const users = useMemo(() => new UserStore(client), [client]);
  const value = useMemo(() => ({ client, users, language }), [client, users, language]);
  return createElement(ProviderContext.Provider, { value }, children);
}

/** Returns the client of the provider. Throws without one. */
export const useClient = (): Client => (useContext(ProviderContext) ?? missingProvider()).client;

export function missingProvider(): never {
  throw new Error('There is no client: put <LatchkeyProvider client={…}> above this component.');
}
