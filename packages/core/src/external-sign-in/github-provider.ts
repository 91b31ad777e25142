import { z } from 'zod';
import { isPlainName } from '../kernel/plain-name.js';
import type { ExternalProviderSettings } from '../settings/external-provider-settings.js';
import {
  CLIENT_REFUSALS,
  ProviderRefusal,
  type ExternalProvider,
  type ProviderRequest,
  type ProviderResponse,
  type ProviderTraits,
  type ProviderUser,
} from './external-provider.js';
import { providerFetch } from './provider-fetch.js';

const AUTHORIZE = 'https://github.com/login/oauth/authorize';
const TOKEN = 'https://github.com/login/oauth/access_token';
const API = 'https://api.github.com';
const DEFAULT_SCOPES = ['read:user', 'user:email'];

const tokenResponse = z.object({ access_token: z.string().min(1), token_type: z.string().optional() });
const userResponse = z.object({ id: z.int().positive(), name: z.string().nullish() });
const emailsResponse = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** The part of `fetch` that is needed, replaced in tests. */
type Send = typeof providerFetch;

/**
 * GitHub, which has OAuth 2.0 with PKCE, and no ID tokens. Its number of a user is the subject: names there are given to others.
 */
export class GithubProvider implements ExternalProvider {
  readonly traits: ProviderTraits;
  readonly #settings: ExternalProviderSettings;
  readonly #send: Send;

  constructor(settings: ExternalProviderSettings, send: Send = providerFetch) {
    this.#settings = settings;
    this.traits = settings;
    this.#send = send;
  }

  authorizationUrl({ state, pkceChallenge, redirectUri, loginHint }: ProviderRequest): Promise<string> {
    const url = new URL(AUTHORIZE);
    const parameters = {
      client_id: this.#settings.clientId,
      redirect_uri: redirectUri,
      scope: (this.#settings.scopes ?? DEFAULT_SCOPES).join(' '),
      state,
      code_challenge: pkceChallenge,
      code_challenge_method: 'S256',
      ...(loginHint !== undefined && { login: loginHint }),
    };
    url.search = new URLSearchParams(parameters).toString();
    return Promise.resolve(url.href);
  }

  async identify({ code, pkceVerifier, redirectUri }: ProviderResponse): Promise<ProviderUser> {
    const { clientId, clientSecret = '' } = this.#settings;
    const response = await this.#send(TOKEN, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        code_verifier: pkceVerifier,
        redirect_uri: redirectUri,
      }),
    });
    const { access_token: token } = await read(tokenResponse, response, 'token');
    const user = await this.#get('/user', userResponse, token);
    const emails = await this.#get('/user/emails', emailsResponse, token);
    const email = emails.find(({ primary, verified }) => primary && verified)?.email;
    return {
      subject: String(user.id),
      email,
      emailVerified: email !== undefined,
      provesMailbox: false,
      fullName: typeof user.name === 'string' && isPlainName(user.name) ? user.name : undefined,
      hadFactors: false,
    };
  }

  mayHaveIssued(): boolean {
    return false;
  }

  verifyLogout(): Promise<never> {
    return Promise.reject(new ProviderRefusal('logout_token'));
  }

  async probe(): Promise<{ issuer: undefined; keys: undefined }> {
    await this.#send(API, { headers: { 'user-agent': 'Latchkey' } });
    return { issuer: undefined, keys: undefined };
  }

  async #get<Value>(path: string, schema: z.ZodType<Value>, token: string): Promise<Value> {
    const headers = {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'Latchkey',
      'x-github-api-version': '2022-11-28',
    };
    return read(schema, await this.#send(`${API}${path}`, { headers }), 'user');
  }
}

/** GitHub answers errors with status 200, too: only the expected form counts. */
async function read<Value>(schema: z.ZodType<Value>, response: Response, reason: string): Promise<Value> {
  const body: unknown = await response.json().catch(() => undefined);
  const { error } = (body ?? {}) as { error?: unknown };
  if (typeof error === 'string' && CLIENT_REFUSALS.has(error)) throw new ProviderRefusal(error);
  const parsed = schema.safeParse(body);
  if (response.status !== 200 || !parsed.success) throw new ProviderRefusal(reason);
  return parsed.data;
}
