import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { importPKCS8 as Import } from 'jose';
import type * as OpenIdClient from 'openid-client';
import { isPlainName } from '../kernel/plain-name.js';
import type { ExternalProviderSettings } from '../settings/external-provider-settings.js';
import {
  CLIENT_REFUSALS,
  ProviderRefusal,
  ProviderUnavailable,
  type ExternalProvider,
  type ProviderLogout,
  type ProviderRequest,
  type ProviderResponse,
  type ProviderTraits,
  type ProviderUser,
} from './external-provider.js';
import { LogoutTokens } from './logout-tokens.js';
import { provesMailbox } from './mailbox-authority.js';
import { providerFetch } from './provider-fetch.js';

type Library = typeof OpenIdClient;
type Configuration = OpenIdClient.Configuration;
type IDToken = OpenIdClient.IDToken;

const GOOGLE = 'https://accounts.google.com';
const MICROSOFT = 'https://login.microsoftonline.com';

/** Algorithms of signatures that are accepted, whatever the provider announces. */
const ALGORITHMS = new Set(['RS256', 'PS256', 'ES256', 'EdDSA']);
const DEFAULT_SCOPES = ['openid', 'email', 'profile'];
/** Clocks may differ by so many seconds. */
const CLOCK_TOLERANCE = 30;
/** An ID token is used at once, so an old one is no response to this flow. */
const MAX_TOKEN_AGE = 600;
/** The greatest age of a sign-in that was to be a new one, in seconds. */
const REAUTHENTICATED_WITHIN = 60;
/** Milliseconds after which the metadata of a provider is read anew. */
const METADATA_MS = 3_600_000;
const MAX_SUBJECT = 255;

/** An OpenID provider, by the authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1). */
export class OidcProvider implements ExternalProvider {
  readonly traits: ProviderTraits;
  readonly #settings: ExternalProviderSettings;
  readonly #logoutTokens = new Map<string, LogoutTokens>();
  #opened: { configuration: Promise<Configuration>; until: number } | undefined;

  constructor(settings: ExternalProviderSettings) {
    this.#settings = settings;
    this.traits = settings;
  }

  async authorizationUrl(request: ProviderRequest): Promise<string> {
    const library = await import('openid-client');
    const configuration = await this.#configuration(library);
    const { state, nonce, redirectUri, loginHint } = request;
    const url = library.buildAuthorizationUrl(configuration, {
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: (this.#settings.scopes ?? DEFAULT_SCOPES).join(' '),
      state,
      nonce,
      code_challenge: request.pkceChallenge,
      code_challenge_method: 'S256',
      ...(loginHint !== undefined && { login_hint: loginHint }),
      ...(request.reauthenticate && { max_age: '0', prompt: 'login' }),
    });
    return url.href;
  }

  async identify(response: ProviderResponse): Promise<ProviderUser> {
    const library = await import('openid-client');
    const configuration = await this.#configuration(library);
    try {
      return await this.#identified(library, configuration, response);
    } catch (error) {
      throw faultOf(error);
    }
  }

  mayHaveIssued({ iss, aud }: { iss: unknown; aud: unknown }): boolean {
    const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
    return isSameAddress(iss, this.#issuer) && audiences.includes(this.#settings.clientId);
  }

  async verifyLogout(logoutToken: string): Promise<ProviderLogout> {
    const configuration = await this.#configuration(await import('openid-client'));
    const { issuer, jwks_uri: jwksUri } = configuration.serverMetadata();
    if (jwksUri === undefined) throw new ProviderRefusal('no_keys');
    const expected = { issuer, audience: this.#settings.clientId, algorithms: [...ALGORITHMS] };
    const tokens = this.#logoutTokens.get(jwksUri) ?? new LogoutTokens(jwksUri);
    this.#logoutTokens.set(jwksUri, tokens);
    return tokens.verify(logoutToken, expected);
  }

  async probe(): Promise<{ issuer: string; keys: number }> {
    const configuration = await this.#configuration(await import('openid-client'));
    const { issuer, jwks_uri: jwksUri } = configuration.serverMetadata();
    if (jwksUri === undefined) throw new ProviderRefusal('no_keys');
    const keySet: unknown = await (await providerFetch(this.#routed(jwksUri))).json().catch(() => undefined);
    const { keys } = (keySet ?? {}) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new ProviderRefusal('no_keys');
    return { issuer, keys: keys.length };
  }

  get #issuer(): string {
    const { type, issuer, tenant = 'common' } = this.#settings;
    if (type === 'microsoft') return `${MICROSOFT}/${tenant}/v2.0`;
    return issuer ?? GOOGLE;
  }

  /**
   * Tests have Microsoft at another address. Only the requests go there: what that provider says about itself is checked as in
   * production.
   */
  #routed(url: string): string {
    const { type, issuer } = this.#settings;
    const isRouted = type === 'microsoft' && issuer !== undefined && url.startsWith(`${MICROSOFT}/`);
    return isRouted ? `${issuer}${url.slice(MICROSOFT.length)}` : url;
  }

  /** Returns what the provider publishes. A failure is not kept. */
  #configuration(library: Library): Promise<Configuration> {
    const now = Date.now();
    if (this.#opened && now < this.#opened.until) return this.#opened.configuration;
    const opened = { configuration: this.#discover(library), until: now + METADATA_MS };
    this.#opened = opened;
    opened.configuration.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened.configuration;
  }

  async #discover(library: Library): Promise<Configuration> {
    const { clientId } = this.#settings;
    const issuer = new URL(this.#issuer);
    const isPlain = issuer.protocol === 'http:';
    const authentication = await this.#authentication(library);
    try {
      const found = await library.discovery(
        issuer,
        clientId,
        { [library.clockTolerance]: CLOCK_TOLERANCE },
        authentication,
        {
          [library.customFetch]: (url, options) => providerFetch(this.#routed(url), options as RequestInit),
          execute: [library.enableNonRepudiationChecks, ...(isPlain ? [plainRequestsOf(library)] : [])],
        },
      );
      assertAddresses(found, isPlain);
      this.#assertTenantOf(found);
      return found;
    } catch (error) {
      throw new ProviderUnavailable(`The metadata of the provider cannot be used.${otherIssuerOf(error)}`, {
        cause: error,
      });
    }
  }

  /** The library lets the metadata of Microsoft be of another issuer than was asked, because those of several tenants are. */
  #assertTenantOf(configuration: Configuration): void {
    const { type, tenant } = this.#settings;
    const isPinned = type === 'microsoft' && tenant !== undefined && TENANT_ID.test(tenant);
    if (isPinned && configuration.serverMetadata().issuer !== this.#issuer)
      throw new Error('The metadata are of another tenant.');
  }

  async #authentication(library: Library) {
    const { clientSecret, privateKeyFile } = this.#settings;
    if (clientSecret !== undefined) return secretAuthentication(library, clientSecret);
    const { importPKCS8 } = await import('jose');
    const { algorithm, key } = await importKey(privateKeyFile ?? '', importPKCS8);
    return library.PrivateKeyJwt(key, {
      [library.modifyAssertion]: (header) => void (header.alg = algorithm),
    });
  }

  async #identified(
    library: Library,
    configuration: Configuration,
    response: ProviderResponse,
  ): Promise<ProviderUser> {
    const { code, state, iss, nonce, pkceVerifier, redirectUri, reauthenticated } = response;
    const callback = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code, state, iss }))
      if (value !== undefined) callback.searchParams.set(name, value);
    const tokens = await library.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: pkceVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(reauthenticated && { maxAge: REAUTHENTICATED_WITHIN }),
    });
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined) throw new ProviderRefusal('id_token');
    assertToken(claims, { idToken: tokens.id_token, accessToken: tokens.access_token });
    this.#assertTenant(claims);
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
    const isInfoNeeded = claims.email === undefined && endpoint !== undefined;
    const info = isInfoNeeded
      ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : undefined;
    return this.#userOf({ ...info, ...claims });
  }

  /**
   * The issuer of a token must be that of its tenant, whatever the metadata say: those of several tenants leave a place for it. A
   * configured tenant must be in the claim, too.
   */
  #assertTenant({ iss, tid }: IDToken): void {
    const { type, tenant } = this.#settings;
    if (type !== 'microsoft') return;
    if (typeof tid !== 'string' || !TENANT_ID.test(tid)) throw new ProviderRefusal('tenant');
    if (iss !== `${MICROSOFT}/${tid}/v2.0`) throw new ProviderRefusal('issuer');
    if (tenant !== undefined && TENANT_ID.test(tenant) && tid !== tenant) throw new ProviderRefusal('tenant');
  }

  #userOf(claims: IDToken): ProviderUser {
    const { sub, email, email_verified: isVerified, name, amr, auth_time: authTime, sid } = claims;
    const { type, trustsFactors, reauthenticates } = this.#settings;
    if (sub.length === 0 || sub.length > MAX_SUBJECT) throw new ProviderRefusal('subject');
    const methods: unknown[] = Array.isArray(amr) ? amr : [];
    return {
      subject: sub,
      email: typeof email === 'string' ? email : undefined,
      emailVerified: isVerified === true,
      provesMailbox: provesMailbox(type, { ...claims }),
      fullName: typeof name === 'string' && isPlainName(name) ? name : undefined,
      hadFactors: trustsFactors && methods.includes('mfa'),
      authTime: reauthenticates && typeof authTime === 'number' ? authTime : undefined,
      sessionId: typeof sid === 'string' && sid !== '' && sid.length <= MAX_SUBJECT ? sid : undefined,
    };
  }
}

/** Returns what lets a configuration send requests to providers on this machine, in development and tests. */
const plainRequestsOf = (library: { allowInsecureRequests: (configuration: Configuration) => void }) =>
  library.allowInsecureRequests;

const TENANT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Sends the secret as the provider takes it: HTTP Basic where it says nothing (OpenID Connect Core 1.0, section 9). */
const secretAuthentication =
  (library: Library, secret: string): ReturnType<Library['ClientSecretPost']> =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
    const authenticate = isBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
    authenticate(server, client, body, headers);
  };

/** Imports a private key by the first algorithm that fits it. @throws ProviderUnavailable that names the file. */
async function importKey(file: string, importPKCS8: typeof Import) {
  const pem = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ProviderUnavailable(`The file ${file} of privateKeyFile cannot be read.`, { cause });
  });
  for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
    try {
      return { algorithm, key: await importPKCS8(pem, algorithm) };
    } catch {
      // The key is of another kind.
    }
  }
  throw new ProviderUnavailable(
    `The file ${file} of privateKeyFile has no key of RSA, P-256 or Ed25519 in PKCS #8 without a password; openssl pkcs8 -topk8 -nocrypt makes one.`,
  );
}

/** Reports whether two addresses differ in their spelling alone, as the library compares what a provider calls itself. */
const isSameAddress = (one: unknown, other: string): boolean =>
  typeof one === 'string' && URL.canParse(one) && new URL(one).href === new URL(other).href;

/** Returns what to write in place of an issuer that is not the one of the metadata, as text after a sentence. */
function otherIssuerOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { attribute, body } = (cause.cause ?? {}) as { attribute?: unknown; body?: { issuer?: unknown } };
    if (attribute === 'issuer' && typeof body?.issuer === 'string')
      return ` Its issuer is ${JSON.stringify(body.issuer.slice(0, MAX_SUBJECT))}.`;
  }
  return '';
}

/** Throws unless every address to which codes and tokens go is encrypted, or the whole provider is on this machine. */
function assertAddresses(configuration: Configuration, isPlain: boolean): void {
  const metadata = configuration.serverMetadata();
  const needed = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri];
  const isUsable = needed.every(
    (url) => url !== undefined && URL.canParse(url) && (isPlain || url.startsWith('https:')),
  );
  if (!isUsable) throw new Error('The metadata lacks an address, or has one that is not https.');
}

/** Checks what the library leaves to its callers: the algorithm, the age and the binding to the access token. */
function assertToken(
  claims: IDToken,
  { idToken, accessToken }: { idToken: string; accessToken: string },
): void {
  const { alg } = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString()) as {
    alg?: unknown;
  };
  if (typeof alg !== 'string' || !ALGORITHMS.has(alg)) throw new ProviderRefusal('algorithm');
  const age = Date.now() / 1000 - claims.iat;
  if (age > MAX_TOKEN_AGE || age < -CLOCK_TOLERANCE) throw new ProviderRefusal('issued_at');
  if (claims.azp !== undefined && claims.azp !== audienceOf(claims))
    throw new ProviderRefusal('authorized_party');
  const { at_hash: hash } = claims;
  if (hash !== undefined && hash !== halfHash(accessToken, alg)) throw new ProviderRefusal('at_hash');
}

/** The library has checked that the audience is this client; with several, that `azp` is. */
const audienceOf = ({ aud, azp }: IDToken): unknown => {
  const audiences = Array.isArray(aud) ? aud : [aud];
  return audiences.length === 1 ? audiences[0] : azp;
};

/** The left half of the hash of a token (OpenID Connect Core 1.0, section 3.1.3.6). */
function halfHash(token: string, algorithm: string): string {
  const hash = createHash(algorithm === 'EdDSA' ? 'sha512' : 'sha256')
    .update(token)
    .digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
}

/** Returns the reason in the words of the library, which name a rule and no value. */
function faultOf(error: unknown): ProviderRefusal | ProviderUnavailable {
  if (error instanceof ProviderRefusal || error instanceof ProviderUnavailable) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderUnavailable) return cause;
  const { code, error: refusal } = (error ?? {}) as { code?: unknown; error?: unknown };
  if (typeof refusal === 'string' && CLIENT_REFUSALS.has(refusal))
    return new ProviderRefusal(refusal, { cause: error });
  const reason = typeof code === 'string' ? code.replace(/^OAUTH_/, '').toLowerCase() : 'response';
  return new ProviderRefusal(reason, { cause: error });
}
