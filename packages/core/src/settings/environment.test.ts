import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEnvironment, loadSource } from './environment.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-settings-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('the .env file', () => {
  it('is read from the working directory', () => {
    write('.env', '\uFEFF# comment\nPORT=4000\nMAIL_FROM="A <a@example.com>"\n');
    const { given } = loadEnvironment({}, folder);
    expect(given.get('PORT')).toEqual({ text: '4000', origin: '.env' });
    expect(given.get('MAIL_FROM')?.text).toBe('A <a@example.com>');
  });

  it('is overridden by the environment', () => {
    write('.env', 'PORT=4000\nHOST=127.0.0.1\n');
    const { given } = loadEnvironment({ PORT: '5000', HOST: '' }, folder);
    expect(given.get('PORT')).toEqual({ text: '5000', origin: 'environment' });
    expect(given.get('HOST')).toEqual({ text: '127.0.0.1', origin: '.env' });
  });

  it('is overridden by the environment when one of them names a file', () => {
    const path = write('key', 'from the file');
    write('.env', 'AUTH_INTERNAL_API_KEY=from the .env file\n');
    const loaded = loadEnvironment({ AUTH_INTERNAL_API_KEY_FILE: path }, folder);
    expect(loaded.faults).toEqual([]);
    expect(loaded.given.get('AUTH_INTERNAL_API_KEY')?.text).toBe('from the file');
  });

  it('may be absent', () => {
    expect(loadEnvironment({}, folder)).toEqual({ given: new Map(), faults: [], others: [] });
  });

  it('is reported as a fault when it cannot be read', () => {
    mkdirSync(join(folder, '.env'));
    expect(loadEnvironment({}, folder).faults).toMatchObject([
      { name: '.env', found: expect.stringContaining('EISDIR') as string },
    ]);
  });

  it('is reported as a fault when it is not UTF-8', () => {
    write('.env', Buffer.from('BRAND_NAME=Bücher', 'latin1'));
    expect(loadEnvironment({}, folder).faults).toMatchObject([
      { name: '.env', found: expect.stringContaining('not UTF-8') as string },
    ]);
  });

  it('is not read when a record replaces the environment', () => {
    write('.env', 'PORT=4000\n');
    expect(loadSource({ HOST: '::1' }, folder).given).toEqual(
      new Map([['HOST', { text: '::1', origin: 'environment' }]]),
    );
  });
});

describe('settings in files', () => {
  it.each([
    ['value', 'value'],
    ['value\n', 'value'],
    ['value\r\n', 'value'],
    ['value\n\n', 'value\n'],
    [' two\nlines\n', ' two\nlines'],
  ])('the file %j gives the value %j', (content, text) => {
    const path = write('secret', content);
    const { given } = loadEnvironment({ DATABASE_URL_FILE: path }, folder);
    expect(given.get('DATABASE_URL')).toEqual({ text, origin: 'file', path });
  });

  it('a path is relative to the working directory', () => {
    write('port', '4000\n');
    write('.env', 'PORT_FILE=port\n');
    expect(loadEnvironment({}, folder).given.get('PORT')?.text).toBe('4000');
  });

  it('a value and a file for one setting are a fault', () => {
    const source = { PORT: '4000', PORT_FILE: write('port', '5000') };
    const { given, faults } = loadSource(source, folder);
    expect(given.has('PORT')).toBe(false);
    expect(faults).toMatchObject([{ name: 'PORT', found: 'both PORT and PORT_FILE' }]);
  });

  it('an unreadable file is a fault that names its path', () => {
    const path = join(folder, 'missing.pem');
    const { faults } = loadSource({ JWT_SIGNING_KEY_PEM_FILE: path }, folder);
    expect(faults).toMatchObject([{ name: 'JWT_SIGNING_KEY_PEM' }]);
    expect(faults[0]?.found).toContain(path);
    expect(faults[0]?.found).toContain('ENOENT');
  });

  it('an empty file is a fault, not an unset setting', () => {
    const { faults } = loadSource({ AUTH_INTERNAL_API_KEY_FILE: write('key', '\n') }, folder);
    expect(faults[0]?.found).toContain('empty');
  });

  it('an empty path counts as unset', () => {
    expect(loadSource({ PORT: '4000', PORT_FILE: '' }, folder)).toMatchObject({ faults: [] });
  });

  it('a file of an unknown setting is ignored', () => {
    expect(loadSource({ NOT_A_SETTING_FILE: join(folder, 'missing') }, folder).faults).toEqual([]);
  });
});

it.each([
  ['in Latin-1', Buffer.from('Bücher', 'latin1')],
  ['in UTF-16', Buffer.from('\uFEFFBooks', 'utf16le')],
])('a file %s is a fault of its setting, and no text with other characters', (_what, bytes) => {
  const { given, faults } = loadEnvironment({ BRAND_NAME_FILE: write('name', bytes) }, folder);
  expect(given.size).toBe(0);
  expect(faults).toMatchObject([
    { name: 'BRAND_NAME', found: expect.stringContaining('not UTF-8') as string },
  ]);
});
