import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeSettings } from './describe-settings.js';
import { SettingsError } from './setting-fault.js';

const described = (source: Record<string, string>) =>
  new Map(describeSettings(source).map((each) => [each.name, each]));

it('every setting is shown with its effective value and origin', () => {
  const settings = described({ PORT: '4000', APP_ENV: 'test' });
  expect(settings.get('PORT')).toMatchObject({ value: '4000', origin: 'environment', group: 'HTTP' });
  expect(settings.get('ACCESS_TOKEN_TTL')).toMatchObject({ value: '900', origin: 'default' });
  expect(settings.get('AUTH_BASE_URL')).toMatchObject({ value: 'http://localhost:4000', origin: 'default' });
  expect(settings.get('AUTH_WEB_FORCE_HTTPS')).toMatchObject({ value: 'false', origin: 'default' });
});

it('a setting from a file says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-settings-'));
  writeFileSync(join(folder, 'audience'), 'billing\n');
  const settings = described({ JWT_AUDIENCE_FILE: join(folder, 'audience') });
  rmSync(folder, { recursive: true });
  expect(settings.get('JWT_AUDIENCE')).toMatchObject({ value: 'billing', origin: 'file' });
});

it('secrets are hidden', () => {
  const settings = described({ AUTH_INTERNAL_API_KEY: 'a-machine-key-of-some-length' });
  expect(settings.get('AUTH_INTERNAL_API_KEY')).toMatchObject({ value: '(hidden)', origin: 'environment' });
});

it('faulty settings are refused', () => {
  expect(() => describeSettings({ PORT: 'x' })).toThrow(SettingsError);
});
