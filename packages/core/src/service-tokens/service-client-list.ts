import { AuthError } from '../kernel/auth-error.js';
import { serviceClients } from '../settings/kinds/secret-kinds.js';
import type { ServiceClient } from './service-client.js';

/** An entry of `SERVICE_CLIENTS`. */
export interface ServiceClientEntry {
  id: string;
  /** Each `sha256:` and 64 hexadecimal digits. */
  secretHashes: readonly string[];
  audiences: readonly string[];
  scopes: readonly string[];
}

type Clients = readonly ServiceClient[];

/** Parses a value of `SERVICE_CLIENTS`. @throws AuthError `validation_error`, by the rules of the setting. */
export function parseClients(text: string): Clients {
  const { success, data, error } = serviceClients.schema.safeParse(text);
  if (success) return data;
  throw AuthError.validation(`${error.issues.map(({ message }) => message).join('; ')}.`);
}

/**
 * Returns the entry of a client in `SERVICE_CLIENTS`.
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

/** Returns the value of `SERVICE_CLIENTS` for these clients. */
export const renderClients = (clients: Clients): string =>
  `${JSON.stringify(clients.map(entryOf), null, 2)}\n`;

/**
 * Validates a client by the rules of the setting and returns it.
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

/** Returns the clients with another one added. @throws AuthError `conflict` if the id is taken. */
export function withClient(clients: Clients, client: ServiceClient): Clients {
  if (clients.some(({ id }) => id === client.id)) {
    throw AuthError.conflict(`There is already a client ${client.id}.`);
  }
  return [...clients, client];
}

/** Adds a second secret to a client. @throws AuthError `not_found`, `conflict` if it already has two. */
export function withNewSecret(clients: Clients, clientId: string, hash: string): Clients {
  return replaced(clients, clientId, (client) => {
    if (client.secretHashes.length > 1) {
      throw AuthError.conflict(`${clientId} already has two secrets. Remove the old one first.`);
    }
    return { ...client, secretHashes: [...client.secretHashes, hash] };
  });
}

/** Removes the older secret of a client. @throws AuthError `not_found`, `conflict` if it has only one. */
export function withoutOldSecret(clients: Clients, clientId: string): Clients {
  return replaced(clients, clientId, (client) => {
    if (client.secretHashes.length < 2) throw AuthError.conflict(`${clientId} has only one secret.`);
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
