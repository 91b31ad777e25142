import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { buildBreachList } from '@latchkey/operations';
import { ApiClient } from '../support/api-client.js';
import { writePlaces } from '../support/maxmind-database.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { INTERNAL_KEY } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const page = readFileSync(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8');

/** Types by field, as the table under a heading has them. */
function tableUnder(heading: string): Record<string, string> {
  const [, section = ''] = page.split(`\n${heading}\n`);
  const [own = ''] = section.split(/\n#+ /);
  const rows = [...own.matchAll(/^\| `(\w+)` +\| (\w+) +\|/gm)];
  return Object.fromEntries(rows.map(([, field = '', type = '']) => [field, type]));
}

/** Types by field, as lines have them. */
function fieldsOf(lines: readonly object[]): Record<string, string> {
  const entries = lines.flatMap((line) => Object.entries(line) as [string, unknown][]);
  return Object.fromEntries(
    entries.map(([field, value]) => [field, Array.isArray(value) ? 'array' : typeof value]),
  );
}

const linesOf = (service: ServiceProcess): Record<string, unknown>[] =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** With everything set that puts a field into the line of the start, and without what may be missing. */
async function startedService(): Promise<ServiceProcess> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'latchkey-log-schema-'));
  const breachList = path.join(dataDir, 'breached.list');
  const words = path.join(dataDir, 'words.txt');
  writeFileSync(words, 'five owls over the harbour\n');
  await buildBreachList({ inputs: [words], output: breachList });
  const service = await startService({
    env: {
      APP_ENV: 'test',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      CORE_BASE_URL: 'http://127.0.0.1:9',
      PASSWORD_BREACH_LIST: breachList,
      GEOIP_DATABASE: await writePlaces(dataDir),
      PASSKEYS_ENABLED: 'true',
      WEBAUTHN_RP_ID: 'localhost',
      WEBAUTHN_ORIGINS: 'http://localhost:3097',
    },
  });
  onTestFinished(async () => {
    await service.stop();
    await database.drop();
    rmSync(dataDir, { recursive: true });
  });
  return service;
}

/** One request of a signed-in user, and one whose client leaves. */
async function callIt(service: ServiceProcess): Promise<void> {
  const client = new ApiClient(service.url);
  onTestFinished(() => client.close());
  const headers = { 'x-internal-api-key': INTERNAL_KEY };
  const body = { email: 'ann@example.com', fullName: 'Ann' };
  const { data } = await client.call('POST', '/internal/admin/users', { headers, body });
  const minted = await client.call('POST', `/internal/admin/users/${data.id}/sessions`, { headers });
  await client.call('GET', '/auth/me', { token: minted.data.accessToken });
  const outgoing = request(`${service.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 100 },
  });
  outgoing.on('error', () => undefined).write('{');
  setTimeout(() => outgoing.destroy(), 200);
  await waitUntil(() => linesOf(service).some((line) => line.aborted), { what: 'the aborted request' });
}

it('the tables of the log have exactly the fields that lines have, with their types', async () => {
  const service = await startedService();
  await callIt(service);
  const every = tableUnder('## Log');
  const lines = linesOf(service);
  const responses = lines.filter((line) => 'durationMs' in line);
  const starts = lines.filter((line) => 'startup' in line);
  expect(Object.keys(every)).toContain('instance');
  expect(fieldsOf(responses)).toEqual({ ...every, ...tableUnder('### Access log') });
  expect(fieldsOf(starts)).toEqual({ ...every, startup: 'object' });
  expect(fieldsOf(starts.map(({ startup }) => startup as object))).toEqual(tableUnder('### Start'));
  for (const line of lines)
    expect(line).toMatchObject({ service: 'latchkey', instance: expect.any(String) as string });
});
