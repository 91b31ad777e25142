import { AuthError } from '../kernel/auth-error.js';
import { serviceClients } from '../settings/kinds/secret-kinds.js';
import type { ServiceClient } from './service-client.js';

/**
 * A client as `SERVICE_CLIENTS` lists it.
 * @example
 * ```ts
 * const entry: ServiceClientEntry = {
 *   id: 'billing',
 *   secretHashes: [`sha256:${'0'.repeat(64)}`],
 *   audiences: ['latchkey'],
 *   scopes: ['internal:read'],
 * };
 * readSomeSettings(['SERVICE_CLIENTS'], { SERVICE_CLIENTS: JSON.stringify([entry]) }).SERVICE_CLIENTS?.reveal().length; // → 1
 * ```
 */
export interface ServiceClientEntry {
  id: string;
  /** Each `sha256:` and 64 hexadecimal digits. */
  secretHashes: readonly string[];
  audiences: readonly string[];
  scopes: readonly string[];
}

type Clients = readonly ServiceClient[];

/** The clients in a value of `SERVICE_CLIENTS`. @throws AuthError `validation_error`, by the rules of the setting. */
export function parseClients(text: string): Clients {
  const { success, data, error } = serviceClients.schema.safeParse(text);
  if (success) return data;
  throw AuthError.validation(`${error.issues.map(({ message }) => message).join('; ')}.`);
}

/**
 * The entry of a client in `SERVICE_CLIENTS`.
 * @example
 * ```ts
 * const client = { id: 'billing', secretHashes: ['0'.repeat(64)], audiences: ['latchkey'], scopes: [] };
 * JSON.stringify([entryOf(client)]).includes('sha256:0000'); // → true
 * ```
 */
export const entryOf = ({ id, secretHashes, audiences, scopes }: ServiceClient): ServiceClientEntry => ({
  id,
  secretHashes: secretHashes.map((hash) => `sha256:${hash}`),
  audiences,
  scopes,
});

/** The value of `SERVICE_CLIENTS` for these clients. */
export const renderClients = (clients: Clients): string =>
  `${JSON.stringify(clients.map(entryOf), null, 2)}\n`;

/**
 * A client as the setting would read it.
 * @throws AuthError `validation_error`.
 * @example
 * ```ts
 * const client = { id: 'billing', secretHashes: ['0'.repeat(64)], audiences: ['latchkey'], scopes: [] };
 * checkedClient(client).id; // → 'billing'
 * checkedClient({ ...client, audiences: [] }); // →! AuthError
 * ```
 */
export function checkedClient(client: ServiceClient): ServiceClient {
  try {
    const [checked = client] = parseClients(renderClients([client]));
    return checked;
  } catch (error) {
    throw AuthError.is(error) ? AuthError.validation(error.message.replaceAll('client 1 ', '')) : error;
  }
}

/** @throws AuthError `conflict` when the id is taken. */
export function withClient(clients: Clients, client: ServiceClient): Clients {
  if (clients.some(({ id }) => id === client.id)) {
    throw AuthError.conflict(`There is a client ${client.id} already.`);
  }
  return [...clients, client];
}

/** The new secret beside the one there is. @throws AuthError `not_found`, `conflict` when there are two already. */
export function withNewSecret(clients: Clients, clientId: string, hash: string): Clients {
  return replaced(clients, clientId, (client) => {
    if (client.secretHashes.length > 1) {
      throw AuthError.conflict(`${clientId} has two secrets already: take the old one away first.`);
    }
    return { ...client, secretHashes: [...client.secretHashes, hash] };
  });
}

/** Only the newer secret stays. @throws AuthError `not_found`, `conflict` when there is one only. */
export function withoutOldSecret(clients: Clients, clientId: string): Clients {
  return replaced(clients, clientId, (client) => {
    if (client.secretHashes.length < 2) throw AuthError.conflict(`${clientId} has one secret only.`);
    return { ...client, secretHashes: client.secretHashes.slice(-1) };
  });
}

function replaced(
  clients: Clients,
  clientId: string,
  change: (client: ServiceClient) => ServiceClient,
): Clients {
  if (!clients.some(({ id }) => id === clientId)) {
    throw new AuthError('not_found', `There is no client ${clientId}.`);
  }
  return clients.map((client) => (client.id === clientId ? change(client) : client));
}
