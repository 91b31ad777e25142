import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withFileLock } from '../files/file-lock.js';
import { removeUnfinished, replaceSecretFile } from '../files/secret-file.js';
import { AuthError } from '../kernel/auth-error.js';
import {
  checkedClient,
  parseClients,
  renderClients,
  withClient,
  withNewSecret,
  withoutOldSecret,
} from './service-client-list.js';
import type { ServiceClient } from './service-client.js';
import { newServiceSecret } from './service-secret.js';

type Clients = readonly ServiceClient[];

/**
 * A file for `SERVICE_CLIENTS_FILE`. Changes are atomic and made by one process at a time.
 * @example
 * ```ts
 * import { mkdtemp, rm } from 'node:fs/promises';
 * const folder = await mkdtemp('/tmp/clients-');
 * const file = new ServiceClientFile(`${folder}/clients.json`);
 * const { hash } = newServiceSecret();
 * await file.add({ id: 'billing', secretHashes: [hash], audiences: ['latchkey'], scopes: [] });
 * const newSecret = await file.addSecret('billing');
 * (await file.list()).map(({ id, secretHashes }) => [id, secretHashes.length]); // → [['billing', 2]]
 * await rm(folder, { recursive: true });
 * ```
 */
export class ServiceClientFile {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** Returns all clients. @throws AuthError `not_found` without the file, `validation_error` if it is invalid. */
  async list(): Promise<Clients> {
    const clients = await this.#read();
    if (clients === undefined) throw new AuthError('not_found', `There is no ${this.path}.`);
    return clients;
  }

  /** Adds a client and creates the file for the first one. @throws AuthError `conflict`, `validation_error`. */
  async add(wanted: ServiceClient): Promise<void> {
    const client = checkedClient(wanted);
    await this.#exclusively(async () => {
      const clients = await this.#read();
      const model = clients === undefined ? undefined : this.path;
      await replaceSecretFile(this.path, renderClients(withClient(clients ?? [], client)), model);
    });
  }

  /** Adds a second secret and returns it; it cannot be read later. @throws AuthError `not_found`, `conflict`. */
  async addSecret(clientId: string): Promise<string> {
    const { secret, hash } = newServiceSecret();
    await this.#change((clients) => withNewSecret(clients, clientId, hash));
    return secret;
  }

  /** Removes the older of two secrets. @throws AuthError `not_found`, `conflict`. */
  async removeOldSecret(clientId: string): Promise<void> {
    await this.#change((clients) => withoutOldSecret(clients, clientId));
  }

  async #change(change: (clients: Clients) => Clients): Promise<void> {
    await this.list();
    await this.#exclusively(async () => {
      await replaceSecretFile(this.path, renderClients(change(await this.list())), this.path);
    });
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    return withFileLock(`${this.path}.lock`, async () => {
      await removeUnfinished(this.path);
      await work();
    });
  }

  async #read(): Promise<Clients | undefined> {
    try {
      return parseClients(await readFile(this.path, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw AuthError.is(error) ? AuthError.validation(`${this.path}: ${error.message}`) : error;
    }
  }
}
