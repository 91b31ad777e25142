import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { PROVIDER_CLIENT, type HostileProvider, type Person } from './hostile-provider.js';
import type { TestService } from './service.js';

/** A browser that begins a flow: it keeps the verifier. */
export interface BegunFlow {
  verifier: string;
  authorizationUrl: string;
}

/** The settings of a service that takes sign-ins of a hostile provider, under each type that it can play. */
export function externalEnv(
  provider: HostileProvider,
  { types = {}, ...env }: { types?: Record<string, object> } & Record<string, unknown> = {},
): Record<string, string> {
  const client = { clientId: PROVIDER_CLIENT.id, clientSecret: PROVIDER_CLIENT.secret };
  const connections = {
    // Google is played at an address of its own: an entry may name one outside production.
    google: { type: 'google', issuer: provider.url },
    plain: { type: 'oidc', issuer: provider.url, label: 'Plain' },
    strict: {
      type: 'oidc',
      issuer: provider.url,
      reauthenticates: true,
      trustsFactors: true,
      label: 'Strict',
    },
    github: { type: 'github' },
    ...types,
  };
  return {
    EXTERNAL_PROVIDERS: JSON.stringify(
      Object.entries(connections).map(([id, settings]) => ({ id, ...client, ...settings })),
    ),
    LOGIN_RATE_LIMIT: '1000000',
    ...(env as Record<string, string>),
  };
}

export const newVerifier = (): string => randomBytes(32).toString('base64url');
export const s256Of = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** A person at Google who has a mailbox there. */
export function googlePerson(email = `${randomUUID()}@gmail.com`): Person & { email: string } {
  return { sub: randomUUID(), email, email_verified: true, name: 'Ada Berg' };
}

/** Signs in by a provider, as front ends do it. */
export class ExternalClient {
  readonly #service: TestService;
  readonly #provider: HostileProvider;

  constructor(service: TestService, provider: HostileProvider) {
    this.#service = service;
    this.#provider = provider;
  }

  start(connectionId: string, body: Record<string, unknown> = {}, token?: string): Promise<Answer> {
    const challenge = s256Of(newVerifier());
    return this.#service.api('POST', '/auth/external/start', {
      token,
      body: { connectionId, challenge, ...body },
    });
  }

  async begin(connectionId: string, body: Record<string, unknown> = {}, token?: string): Promise<BegunFlow> {
    const verifier = newVerifier();
    const answer = await this.start(connectionId, { challenge: s256Of(verifier), ...body }, token);
    expect(answer.status, answer.text).toBe(200);
    return { verifier, authorizationUrl: String(answer.data.authorizationUrl) };
  }

  /** The answer names its reason. */
  finish(body: Record<string, unknown>, token?: string): Promise<Answer> {
    const headers = { accept: 'application/problem+json, application/json;q=0.5' };
    return this.#service.client.send('POST', '/auth/external/finish', { token, body, headers });
  }

  /** The response of the provider with the verifier of the browser. */
  response({ authorizationUrl, verifier }: BegunFlow, person: Person) {
    return { ...this.#provider.visit(authorizationUrl, person), verifier };
  }

  /** The whole sign-in. */
  async signIn(connectionId: string, person: Person, body: Record<string, unknown> = {}): Promise<Answer> {
    return this.finish(this.response(await this.begin(connectionId, body), person));
  }

  /** Links a person to the account of a session. */
  async linked(connectionId: string, person: Person, token: string): Promise<string> {
    const begun = await this.begin(connectionId, { purpose: 'link' }, token);
    const answer = await this.finish(this.response(begun, person), token);
    expect(answer.status, answer.text).toBe(200);
    return (answer.data.identity as { id: string }).id;
  }
}

/** The request of a provider at which a person has signed out. */
export const logOutAt = (service: TestService, logoutToken: string): Promise<Answer> =>
  service.api('POST', '/auth/external/backchannel-logout', {
    raw: new URLSearchParams({ logout_token: logoutToken }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** The reason of an error, which clients that accept problem details get. */
export const reasonOf = ({ body }: Answer): string | undefined =>
  (body as { reason?: string } | undefined)?.reason;

/** Makes every flow as old as this. */
export async function asLateAs({ sql }: TestService, age: string): Promise<void> {
  await sql(
    `UPDATE external_flows SET created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`,
    [age],
  );
}
