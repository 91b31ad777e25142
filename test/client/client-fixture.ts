import { onTestFinished } from 'vitest';
import { createClient, type Client, type ClientOptions, type StoredSession } from '@latchkey/client';
import { ScriptedProxy } from '../support/scripted-proxy.js';
import type { TestService } from '../support/service.js';
import type { NewTestUser, TestUser } from '../support/test-users.js';

/** A store that tests read and change. */
class VisibleStore {
  session: StoredSession | undefined;

  readonly read = (): StoredSession | undefined => this.session;
  readonly write = (session: StoredSession): void => void (this.session = session);
  readonly clear = (): void => void (this.session = undefined);

  /** The access token is about to expire from now on, by the client's reckoning. */
  makeDue(): void {
    if (this.session) this.session = { ...this.session, refreshAt: 0 };
  }

  /** Damages the access token without the client noticing, so that the service refuses it. */
  damageToken(): void {
    const { session } = this;
    if (session) this.session = { ...session, accessToken: `${session.accessToken ?? ''}x` };
  }
}

export interface ClientFixture {
  client: Client;
  store: VisibleStore;
  proxy: ScriptedProxy;
}

/** Returns a client of the service behind a proxy, for this test. */
export async function clientOf(
  service: TestService,
  options: Partial<ClientOptions> = {},
): Promise<ClientFixture> {
  const proxy = await ScriptedProxy.start(service.url);
  const store = new VisibleStore();
  const client = createClient({ baseUrl: proxy.url, tokens: store, ...options });
  onTestFinished(async () => {
    client.close();
    await proxy.stop();
  });
  return { client, store, proxy };
}

/** The same with a user who has signed in by it. */
export async function signedInClient(
  service: TestService,
  options: Partial<ClientOptions> = {},
  wanted?: NewTestUser,
): Promise<ClientFixture & { user: TestUser }> {
  const fixture = await clientOf(service, options);
  const user = await service.createUser(wanted);
  const { error } = await fixture.client.signIn({ email: user.email, password: user.password });
  if (error) throw new Error(error.message);
  return { ...fixture, user };
}
