import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { ExternalClient, externalEnv, reasonOf } from '../support/external-client.js';
import { HostileProvider, type Faults, type Person } from '../support/hostile-provider.js';
import { startTestService, type TestService } from '../support/service.js';

const [CONTOSO, FABRIKAM] = [randomUUID(), randomUUID()];
const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`;

/** The keys that a client may have, and the algorithm of their signatures. */
const KEYS = {
  rsa: { algorithm: 'RS256', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) },
  ec: { algorithm: 'ES256', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
  ed: { algorithm: 'EdDSA', ...generateKeyPairSync('ed25519') },
};
type KeyName = keyof typeof KEYS;
const KEY_NAMES = Object.keys(KEYS) as KeyName[];

let folder: string;
let keyed: HostileProvider;
let shared: HostileProvider;
let pinned: HostileProvider;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-client-keys-'));
  for (const name of KEY_NAMES)
    await writeFile(
      join(folder, `${name}.pem`),
      KEYS[name].privateKey.export({ type: 'pkcs8', format: 'pem' }),
    );
  await writeFile(join(folder, 'no-key.pem'), 'no key\n');
  [keyed, shared, pinned] = await Promise.all([
    HostileProvider.start(),
    HostileProvider.start(),
    HostileProvider.start(),
  ]);
  // The metadata of several tenants have a place for one in their issuer.
  shared.issuer = issuerOf('{tenantid}');
  pinned.issuer = issuerOf(CONTOSO);
  const byKey = (file: string) => ({
    type: 'oidc',
    issuer: keyed.url,
    clientSecret: undefined,
    privateKeyFile: join(folder, file),
  });
  service = await startTestService({
    env: externalEnv(keyed, {
      EXTERNAL_SIGN_UP: 'true',
      PUBLIC_REGISTRATION_ENABLED: 'true',
      REGISTRATION_APPROVAL: 'none',
      types: {
        ...Object.fromEntries(KEY_NAMES.map((name) => [name, byKey(`${name}.pem`)])),
        broken: byKey('no-key.pem'),
        missing: byKey('is-not-there.pem'),
        shared: { type: 'microsoft', issuer: shared.url },
        organizations: { type: 'microsoft', issuer: shared.url, tenant: 'organizations' },
        pinned: { type: 'microsoft', issuer: pinned.url, tenant: CONTOSO },
      },
    }),
  });
});
beforeEach(() => {
  for (const provider of [keyed, shared, pinned]) provider.faults = {};
});
afterAll(async () => {
  await service.stop();
  for (const provider of [keyed, shared, pinned]) provider.stop();
  await rm(folder, { recursive: true });
});

const registered = (name: KeyName) => ({
  algorithm: KEYS[name].algorithm,
  pem: String(KEYS[name].publicKey.export({ type: 'spki', format: 'pem' })),
});

const someone = (): Person & { email: string } => ({
  sub: randomUUID(),
  email: `${randomUUID()}@contoso.example`,
});

describe('a client with a private key', () => {
  const signIn = (connection: string) => new ExternalClient(service, keyed).signIn(connection, someone());

  it.each(KEY_NAMES)('signs its requests with a key of the kind %s, and sends no secret', async (name) => {
    keyed.clientKey = registered(name);
    const answer = await signIn(name);
    expect(answer.status, answer.text).toBe(200);
    const again = await signIn(name);
    expect(again.status, again.text).toBe(200);
  });

  it('is refused where another key is registered, and signs no one in', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = String(other.publicKey.export({ type: 'spki', format: 'pem' }));
    keyed.clientKey = { algorithm: 'ES256', pem };
    const answer = await signIn('ec');
    expect([answer.status, reasonOf(answer)]).toEqual([401, 'external_sign_in_failed']);
  });

  it('with a secret is refused where a key is registered', async () => {
    keyed.clientKey = registered('rsa');
    expect((await signIn('plain')).status).toBe(401);
  });

  it.each(['broken', 'missing'])(
    'whose key is %s is unavailable, and the path is not in the answer',
    async (connection) => {
      const answer = await new ExternalClient(service, keyed).start(connection);
      expect(answer).toMatchObject({ status: 503, code: 'service_unavailable' });
      expect(answer.text).not.toContain(folder);
    },
  );
});

describe('Microsoft', () => {
  /** Signs in there. Microsoft names no issuer beside the code, and does not announce to. */
  async function signIn(
    connection: 'shared' | 'organizations' | 'pinned',
    person: Person,
    claims: Record<string, unknown>,
    faults: Faults = {},
  ): Promise<Answer> {
    const provider = connection === 'pinned' ? pinned : shared;
    const metadata = { authorization_response_iss_parameter_supported: undefined };
    provider.with({ ...faults, claims, metadata });
    const client = new ExternalClient(service, provider);
    const { iss: _iss, ...response } = client.response(await client.begin(connection), person);
    return client.finish(response);
  }

  const userOf = async (email: string) =>
    (await service.sql('SELECT auth_provider, email_verified_at FROM users WHERE email = $1', [email]))[0];

  it.each([
    ['shared', CONTOSO],
    ['shared', FABRIKAM],
    ['organizations', FABRIKAM],
    ['pinned', CONTOSO],
  ] as const)(
    'signs in by %s with a token of the tenant that its issuer names',
    async (connection, tenant) => {
      const person = someone();
      const answer = await signIn(connection, person, { iss: issuerOf(tenant), tid: tenant });
      expect(answer.status, answer.text).toBe(200);
      expect(await userOf(person.email)).toEqual({ auth_provider: 'microsoft', email_verified_at: null });
    },
  );

  it.each([
    ['shared', 'the issuer of another tenant', { iss: issuerOf(FABRIKAM), tid: CONTOSO }],
    ['shared', 'no tenant', { iss: issuerOf(CONTOSO), tid: undefined }],
    ['shared', 'a tenant that is none', { iss: issuerOf('contoso'), tid: 'contoso' }],
    ['shared', 'the template in place of an issuer', { iss: issuerOf('{tenantid}'), tid: '{tenantid}' }],
    ['shared', 'an issuer elsewhere', { iss: `https://evil.example/${CONTOSO}/v2.0`, tid: CONTOSO }],
    ['shared', 'an issuer of version 1', { iss: `https://sts.windows.net/${CONTOSO}/`, tid: CONTOSO }],
    ['pinned', 'another tenant', { iss: issuerOf(FABRIKAM), tid: FABRIKAM }],
    ['pinned', 'the tenant of another issuer', { iss: issuerOf(CONTOSO), tid: FABRIKAM }],
    ['pinned', 'no tenant', { iss: issuerOf(CONTOSO), tid: undefined }],
  ] as const)('by %s refuses a token with %s, and adds no one', async (connection, _what, claims) => {
    const person = someone();
    const answer = await signIn(connection, person, claims);
    expect([answer.status, reasonOf(answer)]).toEqual([401, 'external_sign_in_failed']);
    expect(await userOf(person.email)).toBeUndefined();
  });

  it('the metadata of a tenant must be of that tenant', async () => {
    const provider = await HostileProvider.start();
    provider.issuer = issuerOf(FABRIKAM);
    const types = { pinned: { type: 'microsoft', issuer: provider.url, tenant: CONTOSO } };
    const other = await startTestService({ env: externalEnv(provider, { types }) });
    try {
      const answer = await new ExternalClient(other, provider).start('pinned');
      expect(answer).toMatchObject({ status: 503, code: 'service_unavailable' });
    } finally {
      await other.stop();
      provider.stop();
    }
  });

  it.each([
    [true, true],
    ['1', true],
    [1, true],
    [false, false],
    ['0', false],
    [undefined, false],
  ])(
    'an address whose domain the tenant has proved (xms_edov: %s) is proved: %s',
    async (owned, isProved) => {
      const person = { ...someone(), xms_edov: owned };
      const answer = await signIn('shared', person, { iss: issuerOf(CONTOSO), tid: CONTOSO });
      expect(answer.status, answer.text).toBe(200);
      expect((await userOf(person.email))?.email_verified_at !== null).toBe(isProved);
    },
  );

  it('two tenants that name one subject differently open two accounts', async () => {
    const [ann, bob] = [someone(), someone()];
    await signIn('shared', ann, { iss: issuerOf(CONTOSO), tid: CONTOSO });
    const answer = await signIn('shared', bob, { iss: issuerOf(FABRIKAM), tid: FABRIKAM });
    expect(answer.status, answer.text).toBe(200);
    const rows = await service.sql(
      'SELECT DISTINCT user_id FROM external_identities WHERE subject = ANY($1)',
      [[ann.sub, bob.sub]],
    );
    expect(rows).toHaveLength(2);
  });
});
