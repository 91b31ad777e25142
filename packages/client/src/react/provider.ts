import {
  createContext,
  createElement,
  useContext,
  useEffect,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { Client } from '../client.js';

const ClientContext = createContext<Client | undefined>(undefined);

/** The properties of `LatchkeyProvider`. */
export interface LatchkeyProviderProps {
  client: Client;
  children?: ReactNode;
}

/**
 * Gives the components below it the client, and finds out whether there is a session. Create the client once, outside.
 *
 * @example
 * const App = (props: LatchkeyProviderProps) => LatchkeyProvider(props);
 */
export function LatchkeyProvider({ client, children }: LatchkeyProviderProps): ReactElement {
  useEffect(() => void client.session.ready(), [client]);
  return createElement(ClientContext.Provider, { value: client }, children);
}

/** Returns the client of the provider. Throws without one. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('There is no client: put <LatchkeyProvider client={…}> above this component.');
  return client;
}
