import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuth, readSettings, SettingsError } from '@latchkey/core';
import { inspectSettings } from '@latchkey/core/settings';
import { diagnose } from '@latchkey/operations';
import { startupFacts } from '../../packages/server/src/startup-facts.js';
import { startupSummary } from '../../packages/server/src/startup-summary.js';
import { runCliHere } from '../support/cli-process.js';
import { IN_BERLIN, IN_BRITAIN, writePlaces } from '../support/maxmind-database.js';
import { signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { launchService } from '../support/service-process.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import { testKeys } from '../support/test-keys.js';

const BERLIN = { country: 'DE', city: 'Berlin' };

let folder: string;
let path: string;
let service: TestService;
let operator: OperatorClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-places-'));
  path = await writePlaces(folder, { builtAt: new Date('2026-11-01') });
  service = await startTestService({ env: { GEOIP_DATABASE: path, TRUST_PROXY: '1' } });
  operator = new OperatorClient(service, { GEOIP_DATABASE: path });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Signs a new user in from an address; returns the user and the token. */
async function signedInFrom(address: string, of = service) {
  const { id, email, password } = await of.createUser();
  const answer = await of.api('POST', '/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });
  expect(answer.status, answer.text).toBe(200);
  return { id, token: answer.data.accessToken };
}

describe('a session from an address that the database knows', () => {
  it('has its place in the list of the user', async () => {
    const { token } = await signedInFrom(IN_BERLIN);
    const answer = await service.api('GET', '/auth/sessions', { token });
    expect(answer.items).toMatchObject([{ ipAddress: IN_BERLIN, place: BERLIN, current: true }]);
  });

  it('has its place in the lists of staff, of machines and of its company', async () => {
    const { id } = await signedInFrom(IN_BRITAIN);
    const staff = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
    const company = new TestCompany(service);
    await company.join(id);
    const answers = [
      await service.api('GET', `/internal/users/${id}/sessions`, { token: staff.token }),
      await service.api('GET', `/internal/sessions?ipAddress=${IN_BRITAIN}`, { token: staff.token }),
      await service.machine('GET', `/internal/admin/users/${id}/sessions`),
      await company.machine('GET', '/sessions'),
    ];
    for (const { items } of answers) expect(items).toMatchObject([{ userId: id, place: { country: 'GB' } }]);
  });

  it('has its place in the output of latchkey sessions list and show', async () => {
    const { id } = await signedInFrom(IN_BERLIN);
    const listed = await operator.json<{ id: string }[]>(['sessions', 'list', '--user', id]);
    expect(listed).toMatchObject([{ place: BERLIN }]);
    const { stdout } = await operator.run(['sessions', 'list', '--user', id]);
    expect(stdout.trimEnd().split('\t').at(-1)).toBe(JSON.stringify(BERLIN));
    const shown = await operator.json(['sessions', 'show', listed[0]?.id ?? '']);
    expect(shown).toMatchObject({ ipAddress: IN_BERLIN, place: BERLIN });
  });

  it.each([
    [80, '85.214.132.117'],
    [200, '85.214.132.117 (Berlin, Germany)'],
  ])('has its place in a terminal of %i columns as far as that is wide enough', async (columns, text) => {
    const { id } = await signedInFrom(IN_BERLIN);
    const args = ['sessions', 'list', '--user', id];
    const { stdout } = await runCliHere(args, { env: operator.env, columns });
    expect(stdout).toContain(text);
    const [listed] = await operator.json<{ id: string }[]>(args);
    const shown = await runCliHere(['sessions', 'show', listed?.id ?? ''], { env: operator.env, columns });
    expect(shown.stdout).toContain('85.214.132.117 (approximately Berlin, Germany)');
  });

  it('is stored without its place', async () => {
    const { id } = await signedInFrom(IN_BERLIN);
    const rows = await service.sql('SELECT * FROM sessions WHERE user_id = $1', [id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/berlin|"DE"/i);
  });
});

describe('a session has no place', () => {
  it.each(['127.0.0.1', '192.168.1.20', '8.8.8.8'])('if its address is %s', async (address) => {
    const { token } = await signedInFrom(address);
    const [session] = (await service.api('GET', '/auth/sessions', { token })).items;
    expect(session).toMatchObject({ ipAddress: address });
    expect(session).not.toHaveProperty('place');
  });

  it('in a service without the setting', async () => {
    const other = await startTestService({ env: { TRUST_PROXY: '1' } });
    try {
      const { token } = await signedInFrom(IN_BERLIN, other);
      const [session] = (await other.api('GET', '/auth/sessions', { token })).items;
      expect(session).toMatchObject({ ipAddress: IN_BERLIN });
      expect(session).not.toHaveProperty('place');
    } finally {
      await other.stop();
    }
  });
});

describe('the database of a running service', () => {
  it('is in the summary of the start with its type and its date', () => {
    const facts = startupFacts({ auth: service.auth, embedded: undefined, keyFile: undefined, port: 4000 });
    expect(startupSummary(facts)).toMatch(/^ {2}places +GeoLite2-City, built on 2026-11-01$/m);
    expect(startupSummary({ ...facts, geoipType: undefined })).toMatch(
      /^ {2}places +none \(GEOIP_DATABASE\)$/m,
    );
  });

  it('is checked by the doctor, who warns of an old one', async () => {
    const statusOf = async (file: string, id: string) => {
      const inspection = inspectSettings({ source: { GEOIP_DATABASE: file } });
      return (await diagnose({ inspection })).find((report) => report.id === id);
    };
    expect(await statusOf(path, 'machine.geoip')).toMatchObject({
      status: 'ok',
      found: `GeoLite2-City in ${path}`,
    });
    const aged = await mkdtemp(join(folder, 'aged-'));
    const old = await writePlaces(aged, { builtAt: new Date(Date.now() - 91 * 86_400_000) });
    expect(await statusOf(old, 'machine.geoip_age')).toMatchObject({ status: 'warning' });
    const fresh = await writePlaces(aged, { builtAt: new Date(Date.now() - 89 * 86_400_000) });
    expect(await statusOf(fresh, 'machine.geoip_age')).toMatchObject({ status: 'ok' });
    expect(await statusOf(join(folder, 'nowhere.mmdb'), 'machine.geoip')).toMatchObject({
      status: 'error',
      found: `${join(folder, 'nowhere.mmdb')} does not exist`,
    });
  });
});

describe('a file that is no database of places', () => {
  const settingsOf = (file: string) => ({
    APP_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    GEOIP_DATABASE: file,
  });

  const otherFile = async (): Promise<string> => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'Berlin is in Germany.\n');
    return file;
  };
  const withoutPlaces = async (): Promise<string> =>
    writePlaces(await mkdtemp(join(folder, 'asn-')), { type: 'GeoLite2-ASN' });

  it.each([
    ['that does not exist', () => Promise.resolve(join(folder, 'nowhere.mmdb')), 'does not exist'],
    ['of another kind', otherFile, 'is no database in the MaxMind DB format'],
    ['of a type without places', withoutPlaces, 'has the type GeoLite2-ASN'],
  ])('%s is refused by createAuth before the database is used', async (_what, pathOf, reason) => {
    const error: unknown = await createAuth(readSettings(settingsOf(await pathOf()))).catch(
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(SettingsError);
    if (error instanceof SettingsError) {
      expect(error.faults).toMatchObject([{ name: 'GEOIP_DATABASE' }]);
      expect(error.faults[0]?.found).toContain(reason);
    }
  });

  it('ends the start of the service with the message of a wrong setting', async () => {
    const started = await launchService({ env: settingsOf(join(folder, 'nowhere.mmdb')) });
    expect(await started.exited).toMatchObject({ code: 1 });
    expect(started.output()).toContain('GEOIP_DATABASE');
    expect(started.output()).toContain('nowhere.mmdb, which does not exist');
    expect(started.output()).toContain('or remove GEOIP_DATABASE');
  });

  it('makes no command fail: sessions are listed without places and ended, and a note says why', async () => {
    const { id } = await signedInFrom(IN_BERLIN);
    const file = join(folder, 'nowhere.mmdb');
    const elsewhere = new OperatorClient(service, { GEOIP_DATABASE: file });
    const listed = await elsewhere.run(['sessions', 'list', '--user', id, '--json']);
    expect(listed).toMatchObject({ code: 0 });
    expect(JSON.parse(listed.stdout)).toEqual([expect.not.objectContaining({ place: BERLIN })]);
    expect(listed.stderr).toContain(
      `sessions are shown without their place: GEOIP_DATABASE is ${file}, which does not exist`,
    );
    const ended = await elsewhere.run(['sessions', 'revoke-all', id, '--yes']);
    expect(ended).toMatchObject({ code: 0 });
  });
});
