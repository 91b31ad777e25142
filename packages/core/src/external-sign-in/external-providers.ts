import { AuthError } from '../kernel/auth-error.js';
import type { ExternalProviderSettings } from '../settings/external-provider-settings.js';
import type { ExternalProvider } from './external-provider.js';
import { GithubProvider } from './github-provider.js';
import { OidcProvider } from './oidc-provider.js';

/** The services by which users can sign in, by the ids of their connections. */
export class ExternalProviders {
  readonly #byId: ReadonlyMap<string, ExternalProvider>;

  constructor(settings: readonly ExternalProviderSettings[]) {
    this.#byId = new Map(settings.map((each) => [each.id, providerOf(each)]));
  }

  get ids(): string[] {
    return [...this.#byId.keys()];
  }

  /** The names of connections, by their ids. */
  get labels(): ReadonlyMap<string, string> {
    return new Map(this.all.map(({ traits: { id, label } }) => [id, label]));
  }

  get all(): ExternalProvider[] {
    return [...this.#byId.values()];
  }

  find(connectionId: string): ExternalProvider | undefined {
    return this.#byId.get(connectionId);
  }

  /** @throws AuthError `not_found` for a connection that is not configured. */
  get(connectionId: string): ExternalProvider {
    const provider = this.find(connectionId);
    if (!provider) throw AuthError.notFound('The connection', 'connection_not_found');
    return provider;
  }
}

const providerOf = (settings: ExternalProviderSettings): ExternalProvider =>
  settings.type === 'github' ? new GithubProvider(settings) : new OidcProvider(settings);
