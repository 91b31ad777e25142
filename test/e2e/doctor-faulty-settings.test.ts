import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { inspectSettings } from '@latchkey/core/settings';
import { diagnose } from '@latchkey/operations';
import { runCliHere } from '../support/cli-process.js';
import { diagnosed, outcomes } from '../support/doctor/diagnosed.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { createTestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-faulty-'));
  return () => rm(folder, { recursive: true, force: true });
});

/** Settings of a service with everything, of which a test spoils one. */
async function goodSettings(): Promise<Record<string, string>> {
  const [database, sink] = await Promise.all([createTestDatabase(), startSmtpSink()]);
  onTestFinished(async () => {
    await Promise.all([database.drop(), sink.stop()]);
  });
  return {
    DATABASE_URL: database.url,
    SMTP_URL: sink.url,
    MAIL_FROM: 'Acme <no-reply@acme.test>',
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    DATA_DIR: folder,
  };
}

const WATCHED = {
  'settings.valid': 'ok',
  'keys.signing': 'ok',
  'keys.pepper': 'ok',
  'address.cors': 'ok',
  'database.reachable': 'ok',
  'database.schema': 'ok',
  'mail.reachable': 'ok',
} as const;

describe('doctor with one invalid setting', () => {
  it.each([
    ['JWT_SIGNING_KEY_PEM', 'no key at all', ['keys.signing']],
    ['MAIL_FROM', 'ada', ['mail.reachable']],
    ['PORT', 'http', ['keys.signing', 'address.cors']],
    ['CORS_ORIGINS', '*', ['address.cors']],
    ['REFRESH_TOKEN_PEPPER', 'x', ['keys.pepper']],
    ['DATABASE_URL', 'mysql://localhost/auth', ['database.reachable', 'database.schema']],
    ['PASSKEYS_ENABLED', 'on', []],
  ])('an invalid %s skips only the checks that need it', async (name, text, dependants) => {
    const reports = await diagnosed({ ...(await goodSettings()), [name]: text });
    const skipped = Object.fromEntries(dependants.map((id) => [id, 'skipped']));
    // Slow hashing and a slow reply are warnings: of a busy machine, too.
    for (const id of ['machine.hashing', 'database.reachable']) {
      if (!dependants.includes(id)) expect(['ok', 'warning']).toContain(reports.get(id)?.status);
    }
    const found = outcomes(reports, ...Object.keys(WATCHED));
    expect({
      ...found,
      ...(found['database.reachable'] === 'warning' && { 'database.reachable': 'ok' }),
    }).toEqual({
      ...WATCHED,
      ...skipped,
      'settings.valid': 'error',
    });
    expect(reports.get('settings.valid')?.fix).toBe('latchkey config check');
    for (const id of dependants) expect(reports.get(id)?.found).toBe(`${name} is missing or wrong`);
  });

  it('doctor runs the checks without settings if the file of the settings cannot be read', async () => {
    const inspection = inspectSettings({ envFile: folder });
    const reports = await diagnose({ inspection });
    const looked = reports.filter(({ status }) => status !== 'skipped').map(({ id }) => id);
    expect(looked).toEqual(['settings.valid', 'settings.used', 'machine.node']);
    expect(reports.find(({ id }) => id === 'database.reachable')?.found).toMatch(/ cannot be read$/);
  });

  it('latchkey doctor exits with 1, and prints no part of an invalid value', async () => {
    const env = { ...(await goodSettings()), JWT_SIGNING_KEY_PEM: 'a-hidden-word' };
    const { code, stdout, stderr } = await runCliHere(['doctor'], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error\tsettings\.valid\tJWT_SIGNING_KEY_PEM: missing or wrong\t/m);
    expect(stdout).toMatch(/^skipped\tkeys\.signing\tJWT_SIGNING_KEY_PEM is missing or wrong\t$/m);
    expect(stdout).toMatch(/^ok\tdatabase\.reachable\t/m);
    expect(stdout + stderr).not.toContain('a-hidden-word');
  });
});
