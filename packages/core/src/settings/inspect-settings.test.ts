import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspectSettings } from './inspect-settings.js';

const inspected = (source: Record<string, string>) =>
  new Map(inspectSettings({ source }).entries.map((each) => [each.name, each]));

function temporaryFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file');
  writeFileSync(path, text);
  return path;
}

describe('every setting', () => {
  it('is shown with its effective value and origin', () => {
    const settings = inspected({ PORT: '4000', APP_ENV: 'test' });
    expect(settings.get('PORT')).toMatchObject({ value: '4000', origin: 'environment', group: 'HTTP' });
    expect(settings.get('ACCESS_TOKEN_TTL')).toMatchObject({ value: '900', origin: 'default' });
    expect(settings.get('AUTH_BASE_URL')).toMatchObject({
      value: 'http://localhost:4000',
      origin: 'derived',
    });
    expect(settings.get('REDIS_URL')).toMatchObject({ value: null, origin: 'default', isDefault: true });
  });

  it('counts as default if its value equals the default, in any spelling', () => {
    const settings = inspected({ ACCESS_TOKEN_TTL: '15m', REFRESH_TOKEN_TTL: '15d' });
    expect(settings.get('ACCESS_TOKEN_TTL')).toMatchObject({ origin: 'environment', isDefault: true });
    expect(settings.get('REFRESH_TOKEN_TTL')).toMatchObject({ origin: 'environment', isDefault: false });
  });

  it('from a file is shown with its path', () => {
    const path = temporaryFile('billing\n');
    expect(inspected({ JWT_AUDIENCE_FILE: path }).get('JWT_AUDIENCE')).toMatchObject({
      value: 'billing',
      origin: 'file',
      path,
    });
  });

  it('that is secret is only shown as set, even if it is faulty', () => {
    const settings = inspected({ AUTH_INTERNAL_API_KEY: 'a-machine-key-of-some-length', SMTP_URL: 'hush' });
    expect(settings.get('AUTH_INTERNAL_API_KEY')).toMatchObject({ value: 'set', secret: true });
    expect(settings.get('SMTP_URL')).toMatchObject({ value: 'set', secret: true });
  });
});

it('an option overrides the environment, which overrides a default of the program', () => {
  const { entries, settings } = inspectSettings({ options: { PORT: '4001' }, defaults: { HOST: '::1' } });
  const origins = new Map(entries.map(({ name, origin }) => [name, origin]));
  expect(settings?.http).toMatchObject({ port: 4001, host: '::1' });
  expect(origins.get('PORT')).toBe('command');
  expect(origins.get('HOST')).toBe('command');
});

describe('a file in .env format', () => {
  it('is inspected alone, without the environment', () => {
    const envFile = temporaryFile('PORT=4000\n');
    const { entries, settings } = inspectSettings({ envFile });
    expect(entries.find(({ name }) => name === 'PORT')).toMatchObject({ origin: '.env', path: envFile });
    expect(settings?.http.port).toBe(4000);
  });

  it('is named in its faults', () => {
    const envFile = temporaryFile('PORT=x\n');
    expect(inspectSettings({ envFile }).faults).toMatchObject([
      { name: 'PORT', found: `"x" from the file ${envFile}` },
    ]);
  });

  it('that cannot be read is a fault', () => {
    expect(inspectSettings({ envFile: '/nowhere/at/all' }).faults).toMatchObject([
      { name: '/nowhere/at/all', found: 'a file that cannot be read (ENOENT)' },
    ]);
  });
});

describe('warnings', () => {
  const warnedOf = (source: Record<string, string>) =>
    inspectSettings({ source }).warnings.map(({ name }) => name);

  it('name misspelled settings', () => {
    expect(warnedOf({ DATABSE_URL: 'postgres://localhost/auth', HOME: '/root' })).toEqual(['DATABSE_URL']);
  });

  it('name settings that have no effect', () => {
    expect(warnedOf({ CORE_TIMEOUT: '2', SERVICE_TOKEN_TTL: '60', WEBAUTHN_RP_ID: 'example.com' })).toEqual([
      'WEBAUTHN_RP_ID',
      'CORE_TIMEOUT',
      'SERVICE_TOKEN_TTL',
    ]);
    expect(warnedOf({ CORE_BASE_URL: 'https://core.example.com', CORE_TIMEOUT: '2' })).toEqual([]);
    const smtp = { SMTP_URL: 'smtps://h', MAIL_FROM: 'a@acme.org' };
    expect(warnedOf({ ...smtp, MAIL_BY_APP: 'true' })).toEqual(['SMTP_URL', 'MAIL_FROM']);
    expect(warnedOf({ ...smtp, MAIL_BY_APP: 'false' })).toEqual([]);
  });

  it('say nothing about the effect of faulty settings', () => {
    expect(warnedOf({ CORE_BASE_URL: 'core', CORE_TIMEOUT: '2' })).toEqual([]);
  });
});
