import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../settings/read-settings.js';
import { ServiceClientFile } from './service-client-file.js';
import { secretMatches, type ServiceClient } from './service-client.js';
import { newServiceSecret } from './service-secret.js';

let folder: string;
let file: ServiceClientFile;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-clients-'));
  file = new ServiceClientFile(join(folder, 'clients.json'));
});
afterEach(() => rm(folder, { recursive: true }));

const client = (id: string, hash = newServiceSecret().hash): ServiceClient => ({
  id,
  secretHashes: [hash],
  audiences: ['latchkey'],
  scopes: ['internal:read'],
});
const asServiceReads = (): ServiceClient[] =>
  readSettings({ SERVICE_CLIENTS_FILE: file.path }).machine.serviceClients?.reveal() ?? [];

describe('a file of service clients', () => {
  it('is read by the service, and readable by its owner only', async () => {
    const [billing, ledger] = [client('billing'), client('ledger')];
    await file.add(billing);
    await file.add(ledger);
    expect(asServiceReads()).toEqual([billing, ledger]);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['clients.json']);
  });

  it('contains two secrets while one is replaced, never three, and then only the newer one', async () => {
    const { secret: old, hash } = newServiceSecret();
    await file.add(client('billing', hash));
    const secret = await file.addSecret('billing');
    const accepts = (text: string) => secretMatches(asServiceReads()[0], text);
    expect([accepts(old), accepts(secret)]).toEqual([true, true]);
    await expect(file.addSecret('billing')).rejects.toMatchObject({ code: 'conflict' });
    await file.removeOldSecret('billing');
    expect([accepts(old), accepts(secret)]).toEqual([false, true]);
    await expect(file.removeOldSecret('billing')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('keeps its permissions', async () => {
    await file.add(client('billing'));
    await chmod(file.path, 0o640);
    await file.addSecret('billing');
    expect((await stat(file.path)).mode & 0o777).toBe(0o640);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['an id that is taken', () => file.add(client('billing')), 'conflict'],
    ['an id that the service would reject', () => file.add(client('a b')), 'validation_error'],
    ['an unknown client', () => file.addSecret('unknown'), 'not_found'],
  ])('is not changed for %s', async (_what, change, code) => {
    await file.add(client('billing'));
    const before = await readFile(file.path, 'utf8');
    await expect(change()).rejects.toMatchObject({ code });
    expect(await readFile(file.path, 'utf8')).toBe(before);
  });

  it('that is missing or invalid causes an error', async () => {
    await expect(file.list()).rejects.toMatchObject({ code: 'not_found' });
    await expect(file.addSecret('billing')).rejects.toMatchObject({ code: 'not_found' });
    await writeFile(file.path, '{"billing":1}');
    await expect(file.add(client('billing'))).rejects.toThrow(`${file.path}: the text must be a list`);
    expect(await readFile(file.path, 'utf8')).toBe('{"billing":1}');
  });

  it('loses no client to concurrent changes', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `client-${index}`);
    const outcomes = await Promise.allSettled(ids.map((id) => file.add(client(id))));
    const added = ids.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(added.length).toBeGreaterThan(0);
    expect((await file.list()).map(({ id }) => id).sort()).toEqual(added);
  });
});

it('a service secret has 256 bits and a prefix that names its kind', () => {
  expect(newServiceSecret().secret).toMatch(/^lks_[A-Za-z0-9_-]{43}$/);
});
