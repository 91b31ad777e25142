import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBinding } from './binding.js';
import type { TestService } from './service.js';

/** The ways in which apps serve the routes, the standalone server first. */
export const BINDING_NAMES = ['the standalone server', 'express', 'fetch'] as const;

/** One service on every binding at the same time. */
export class EveryBinding {
  /** The address of the service on each binding. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly #servers: readonly Server[];

  private constructor(addresses: ReadonlyMap<string, string>, servers: readonly Server[]) {
    this.addresses = addresses;
    this.#servers = servers;
  }

  static async open(service: TestService): Promise<EveryBinding> {
    const [standalone, ...others] = BINDING_NAMES;
    const addresses = new Map<string, string>([[standalone, service.url]]);
    const servers: Server[] = [];
    for (const binding of others) {
      const server = await openBinding(binding, service.auth);
      servers.push(server);
      addresses.set(binding, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    return new EveryBinding(addresses, servers);
  }

  /** Stops the servers, and not the service. */
  close(): void {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}
