import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadSource } from './environment.js';
import { readSettings } from './read-settings.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER = Buffer.alloc(32, 2).toString('base64');
const keysOf = (source: Record<string, string>): string[] | undefined =>
  readSettings({ APP_ENV: 'test', ...source })
    .encryption.keys?.reveal()
    .map((key) => key.toString('base64'));

it('a setting is read under its former name, also from a file', () => {
  const path = join(tmpdir(), `latchkey-former-name-${process.pid}`);
  writeFileSync(path, KEY);
  onTestFinished(() => rmSync(path));
  expect(keysOf({ FACTOR_ENCRYPTION_KEYS: KEY })).toEqual([KEY]);
  expect(keysOf({ FACTOR_ENCRYPTION_KEYS_FILE: path })).toEqual([KEY]);
  expect(loadSource({ FACTOR_ENCRYPTION_KEYS: KEY }).others).toEqual([]);
});

it('the same value under both names is accepted', () => {
  expect(keysOf({ ENCRYPTION_KEYS: KEY, FACTOR_ENCRYPTION_KEYS: KEY })).toEqual([KEY]);
});

it('two values that differ are a fault that names both and shows neither', () => {
  const read = (): unknown => keysOf({ ENCRYPTION_KEYS: KEY, FACTOR_ENCRYPTION_KEYS: OTHER });
  expect(read).toThrow(/ENCRYPTION_KEYS.*FACTOR_ENCRYPTION_KEYS/s);
  expect(read).not.toThrow(new RegExp(`${KEY.slice(0, 10)}|${OTHER.slice(0, 10)}`));
});
