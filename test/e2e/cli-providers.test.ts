import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckReport } from '@latchkey/operations';
import { freePort } from '../../tools/shared/free-port.mjs';
import { runCliHere } from '../support/cli-process.js';
import { HostileProvider, PROVIDER_CLIENT } from '../support/hostile-provider.js';

let provider: HostileProvider;
beforeAll(async () => {
  provider = await HostileProvider.start();
});
beforeEach(() => {
  provider.faults = {};
});
afterAll(() => provider.stop());

const client = { clientId: PROVIDER_CLIENT.id, clientSecret: PROVIDER_CLIENT.secret };
const envOf = (...connections: object[]): Record<string, string> => ({
  AUTH_BASE_URL: 'http://localhost:3097',
  EXTERNAL_PROVIDERS: JSON.stringify(connections.map((each) => ({ ...client, ...each }))),
});
const oidc = (id: string, issuer = provider.url) => ({ id, type: 'oidc', issuer, label: 'Plain' });

describe('latchkey providers check', () => {
  it('shows issuer, keys and redirect URI of each service', async () => {
    const { code, stdout, stderr } = await runCliHere(['providers', 'check'], {
      env: envOf(oidc('one'), oidc('two')),
    });
    expect([code, stderr]).toEqual([0, '']);
    const uri = (id: string) => `http://localhost:3097/external/callback/${id}`;
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t').slice(0, 4))).toEqual([
      ['one', 'Plain', uri('one'), provider.url],
      ['two', 'Plain', uri('two'), provider.url],
    ]);
    expect(stdout).not.toContain(PROVIDER_CLIENT.secret);
  });

  it('exits with 1 and names the service that cannot be used, beside those that can', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    const { code, stdout, stderr } = await runCliHere(['providers', 'check', '--json'], {
      env: envOf(oidc('gone', gone), oidc('there')),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('gone cannot be used.');
    const found = JSON.parse(stdout) as { id: string; problem: string | null }[];
    expect(found.map(({ id, problem }) => [id, problem === null])).toEqual([
      ['gone', false],
      ['there', true],
    ]);
  });

  it.each([
    ['metadata of another issuer', { metadata: { issuer: 'https://other.example' } }],
    ['a service without keys', { metadata: { jwks_uri: undefined } }],
    ['no JSON', { answers: 'no JSON', at: ['discovery'] }],
    ['an endless answer', { answers: 'endless', at: ['discovery'] }],
  ] as const)('reports %s', async (_what, faults) => {
    provider.faults = faults as HostileProvider['faults'];
    const { code, stdout } = await runCliHere(['providers', 'check', '--json'], { env: envOf(oidc('one')) });
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as { problem: string }[])[0]?.problem).toMatch(/\S/);
  });

  it('names the issuer to write where the configured one is another', async () => {
    provider.faults = { metadata: { issuer: `${provider.url}/realm` } };
    const { stdout } = await runCliHere(['providers', 'check', '--json'], { env: envOf(oidc('one')) });
    const [found] = JSON.parse(stdout) as { problem: string }[];
    expect(found?.problem).toContain(`Its issuer is "${provider.url}/realm".`);
  });

  it.each([
    ['a missing file', '/nonexistent/key.pem', 'cannot be read'],
    ['a file without a key', import.meta.filename, 'openssl pkcs8'],
  ])('names %s of a private key, and what to do', async (_what, privateKeyFile, words) => {
    const { stdout } = await runCliHere(['providers', 'check', '--json'], {
      env: envOf({ ...oidc('one'), clientSecret: undefined, privateKeyFile }),
    });
    const [found] = JSON.parse(stdout) as { problem: string }[];
    expect(found?.problem).toContain(privateKeyFile);
    expect(found?.problem).toContain(words);
    expect(found?.problem).not.toContain('metadata');
  });

  it.each([
    ['is no list', { EXTERNAL_PROVIDERS: 'google' }],
    ['is in a file that cannot be read', { EXTERNAL_PROVIDERS_FILE: import.meta.dirname }],
  ])('names the setting that %s', async (_what, env) => {
    const { code, stderr } = await runCliHere(['providers', 'check'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('EXTERNAL_PROVIDERS');
    expect(stderr).toContain('to fix');
    expect(stderr).not.toContain('Unexpected');
  });

  it('says what to set where nothing is configured', async () => {
    const { code, stderr } = await runCliHere(['providers', 'check']);
    expect(code).toBe(1);
    expect(stderr).toContain('set EXTERNAL_PROVIDERS');
  });

  it('a terminal gets a table', async () => {
    const { code, stdout } = await runCliHere(['providers', 'check'], {
      env: envOf(oidc('one')),
      columns: 160,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ID\s+STATE\s+ISSUER\s+KEYS\s+REDIRECT URI/);
  });
});

describe('latchkey doctor', () => {
  const reportOf = async (env: Record<string, string>): Promise<CheckReport | undefined> => {
    const { stdout } = await runCliHere(['doctor', '--json'], {
      env: { DATABASE_URL: 'postgres://ann@127.0.0.1:1/auth', ...env },
    });
    return (JSON.parse(stdout) as CheckReport[]).find(({ id }) => id === 'external.reachable');
  };

  it('checks the services by which users sign in', async () => {
    expect(await reportOf({})).toMatchObject({ status: 'skipped', found: 'EXTERNAL_PROVIDERS is not set' });
    expect(await reportOf(envOf(oidc('one')))).toMatchObject({ status: 'ok', found: 'one' });
    const gone = envOf(oidc('gone', `http://127.0.0.1:${await freePort()}`));
    const report = await reportOf(gone);
    expect(report?.status).toBe('error');
    expect(report?.found).toMatch(/^gone: /);
    expect(report?.fix).toContain('latchkey providers check');
  });
});
