import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Faults, HostileProvider, Person } from '../hostile-provider.js';

/** The page of a provider on which people sign in. It sends the browser back at once, as for a person who is signed in there. */
export class ProviderPage {
  /** The person at the browser; undefined for one who cancels. */
  person: Person | undefined;
  /** Something that happens before the browser is sent back. */
  meanwhile: (() => Promise<unknown>) | undefined;
  readonly url: string;
  readonly #server: Server;
  readonly #provider: HostileProvider;

  private constructor(server: Server, provider: HostileProvider) {
    this.#server = server;
    this.#provider = provider;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.behave({});
  }

  /** Starts the page of a provider, before anyone reads its metadata. */
  static async start(provider: HostileProvider): Promise<ProviderPage> {
    const server = createServer((request, response) => {
      void page.#answer(new URL(request.url ?? '/', page.url), response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const page = new ProviderPage(server, provider);
    return page;
  }

  /** Gives the provider these faults, and no others. */
  behave(faults: Faults): void {
    this.#provider.faults = { metadata: { authorization_endpoint: `${this.url}/authorize` }, ...faults };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(address: URL, response: ServerResponse): Promise<void> {
    await this.meanwhile?.();
    if (address.pathname === '/authorize')
      response.writeHead(302, { location: this.backFrom(address.href) }).end();
    else response.writeHead(404).end();
  }

  /** Returns the address to which the browser is sent back. */
  backFrom(authorizationUrl: string): string {
    const { href, searchParams } = new URL(authorizationUrl);
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    const answer = this.person
      ? this.#provider.visit(href, this.person)
      : { error: 'access_denied', state: searchParams.get('state') ?? '', iss: this.#provider.issuer };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    return back.href;
  }
}
