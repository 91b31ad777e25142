import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCliHere, type CliResult } from '../support/cli-process.js';
import { serviceForThisTest } from '../support/service.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-clients-'));
  file = join(folder, 'clients.json');
});
afterEach(() => rm(folder, { recursive: true }));

const clients = (...args: string[]): Promise<CliResult> => runCliHere(['service-clients', ...args]);

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await clients(...args, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

/** The secret that a run printed alone. */
async function secretOf(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await clients(...args, '--quiet');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^lks_[A-Za-z0-9_-]{43}\n$/);
  return stdout.trim();
}

const BILLING = ['create', 'billing', '--audience', 'latchkey', '--scope', 'internal:read', 'internal:write'];

/** Returns the response to this secret of a service that starts with the file. */
async function answerTo(secret: string): Promise<number> {
  const service = await serviceForThisTest({ env: { SERVICE_CLIENTS_FILE: file } });
  const body = { clientId: 'billing', clientSecret: secret };
  return (await service.api('POST', '/auth/service-token', { body })).status;
}

describe('a service client', () => {
  it('a service client gets tokens with its secret, which is in no file', async () => {
    const secret = await secretOf(...BILLING, '--into', file);
    expect(await answerTo(secret)).toBe(200);
    expect(await readFile(file, 'utf8')).not.toContain(secret);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('create without a file prints an entry for the setting', async () => {
    const { client, secret } = await json<{ client: object; secret: string }>(...BILLING);
    const { code, stdout, stderr } = await clients(...BILLING);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.split('\n')[2] ?? '')).toMatchObject({
      id: 'billing',
      scopes: ['internal:read', 'internal:write'],
    });
    expect(stderr).toContain('shown only once');
    const service = await serviceForThisTest({ env: { SERVICE_CLIENTS: JSON.stringify([client]) } });
    const answer = await service.api('POST', '/auth/service-token', {
      body: { clientId: 'billing', clientSecret: secret },
    });
    expect(answer.status, answer.text).toBe(200);
  });

  it('a service client has two secrets while one is replaced, never three', async () => {
    const old = await secretOf(...BILLING, '--into', file);
    const next = await secretOf('rotate', 'billing', '--from', file);
    expect(await Promise.all([answerTo(old), answerTo(next)])).toEqual([200, 200]);

    const third = await clients('rotate', 'billing', '--from', file);
    expect(third).toMatchObject({ code: 1, stdout: '' });
    expect(third.stderr).toContain('billing already has two secrets');

    expect(await clients('rotate', 'billing', '--from', file, '--finish')).toMatchObject({
      code: 2,
      stdout: '',
    });
    expect(await answerTo(old)).toBe(200);
    expect(await json('rotate', 'billing', '--from', file, '--finish', '--yes')).toEqual({
      id: 'billing',
      secrets: 1,
      file,
    });
    expect(await Promise.all([answerTo(old), answerTo(next)])).toEqual([401, 200]);
    expect(await clients('rotate', 'billing', '--from', file, '--finish', '--yes')).toMatchObject({
      code: 2,
    });
  });

  it.each([
    ['no audience', ['create', 'billing'], 2, '--audience <audience> is missing'],
    ['an id with spaces', ['create', 'a b', '--audience', 'x'], 2, 'id must be 1 to 100 letters'],
    [
      'a scope with spaces',
      ['create', 'a', '--audience', 'x', '--scope', 'a b'],
      2,
      'scopes entry 1 must be text',
    ],
    ['an unknown client', ['rotate', 'unknown', '--from', 'FILE'], 3, 'There is no client unknown.'],
    [
      'an id that is taken',
      ['create', 'billing', '--audience', 'x', '--into', 'FILE'],
      1,
      'There is already a client billing',
    ],
    [
      'no folder to write to',
      ['create', 'a', '--audience', 'x', '--into', '/nonexistent/c'],
      1,
      'cannot be used (ENOENT)',
    ],
    [
      'a file that is not there',
      ['list', '--from', '/nonexistent.json'],
      3,
      'There is no /nonexistent.json.',
    ],
  ])('service-clients with %s fails with a sentence', async (_what, args, code, message) => {
    await secretOf(...BILLING, '--into', file);
    const before = await readFile(file, 'utf8');
    const result = await clients(...args.map((arg) => (arg === 'FILE' ? file : arg)));
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

describe('latchkey service-clients list', () => {
  it('list shows the clients of a file and of the settings, without their digests', async () => {
    await secretOf(...BILLING, '--into', file);
    await secretOf('create', 'ledger', '--audience', 'https://ledger.example.com', '--into', file);
    await secretOf('rotate', 'billing', '--from', file);
    const expected = [
      { id: 'billing', audiences: ['latchkey'], scopes: ['internal:read', 'internal:write'], secrets: 2 },
      { id: 'ledger', audiences: ['https://ledger.example.com'], scopes: [], secrets: 1 },
    ];
    expect(await json('list', '--from', file)).toEqual(expected);
    const env = { SERVICE_CLIENTS_FILE: file, REDIS_URL: 'nonsense' };
    const { stdout } = await runCliHere(['service-clients', 'list', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual(expected);
    expect((await clients('list', '--from', file, '--quiet')).stdout).toBe('billing\nledger\n');
  });
});
