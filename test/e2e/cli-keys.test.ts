import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRsaKey } from '@latchkey/core/keys';
import { runCliHere } from '../support/cli-process.js';
import { serviceForThisTest } from '../support/service.js';
import { otherTestKeys, testKeys } from '../support/test-keys.js';

let folder: string;
let signingFile: string;
let otherFile: string;
let weakFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-keys-'));
  [signingFile, otherFile, weakFile] = ['signing.pem', 'other.pem', 'weak.pem'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(signingFile, testKeys().privateKeyPem);
  await writeFile(otherFile, otherTestKeys().publicKeyPem);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  await writeFile(weakFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
});

afterAll(() => rm(folder, { recursive: true }));

const kidOf = async (pem: string): Promise<string> => (await readRsaKey(pem)).kid;

/** Nothing of a private key is in what was printed. */
function expectNothingPrivate(text: string): void {
  expect(text).not.toContain('PRIVATE');
  for (const line of testKeys()
    .privateKeyPem.split('\n')
    .filter((one) => one.length > 40)) {
    expect(text).not.toContain(line);
  }
  expect(text).not.toMatch(/"(d|p|q|dp|dq|qi)"/);
}

describe('latchkey keys inspect', () => {
  it('inspect marks the signing key of the settings, even if other settings are invalid', async () => {
    const env = {
      APP_ENV: 'production',
      REDIS_URL: 'nonsense',
      JWT_SIGNING_KEY_PEM_FILE: signingFile,
      JWT_VERIFICATION_KEYS_PEM: otherTestKeys().publicKeyPem.replaceAll('\n', '\\n'),
    };
    const { code, stdout, stderr } = await runCliHere(['keys', 'inspect', '--json'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const common = { kind: 'RSA', bits: 2048, exponent: '65537', faults: [] };
    expect(JSON.parse(stdout)).toEqual([
      {
        ...common,
        source: 'JWT_SIGNING_KEY_PEM',
        use: 'sign',
        half: 'private',
        kid: await kidOf(testKeys().privateKeyPem),
        file: signingFile,
        changedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
      {
        ...common,
        source: 'JWT_VERIFICATION_KEYS_PEM',
        use: 'verify',
        half: 'public',
        kid: await kidOf(otherTestKeys().publicKeyPem),
        file: null,
        changedAt: null,
      },
    ]);
    expectNothingPrivate(stdout);
  });

  it('inspect names the faults of a key, and exits with 1', async () => {
    const { code, stdout, stderr } = await runCliHere(['keys', 'inspect', signingFile, weakFile]);
    expect(code).toBe(1);
    expect(stdout.split('\n')[1]).toContain('an RSA key of 1024 bits');
    expect(stderr).toContain('The service would reject 1 key of 2.');
    expectNothingPrivate(stdout + stderr);
  });

  it.each([
    ['a public key to sign with', () => otherTestKeys().publicKeyPem, 'a public key cannot sign'],
    [
      'two keys to sign with',
      () => testKeys().privateKeyPem + otherTestKeys().privateKeyPem,
      'more than one key to sign with',
    ],
    ['text without a key', () => 'hunter2', 'no PEM block'],
  ])('inspect reports %s', async (_what, text, fault) => {
    const { code, stdout } = await runCliHere(['keys', 'inspect'], { env: { JWT_SIGNING_KEY_PEM: text() } });
    expect(code).toBe(1);
    expect(stdout).toContain(fault);
    expect(stdout).not.toContain('hunter2');
  });

  it('inspect without a setting reads the key of a development service', async () => {
    const data = join(folder, 'data');
    const nothing = await runCliHere(['keys', 'inspect'], { env: { DATA_DIR: data } });
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toContain('latchkey keys generate');
    await mkdir(data);
    await writeFile(join(data, 'signing-key.pem'), testKeys().privateKeyPem);
    const { stdout } = await runCliHere(['keys', 'inspect', '--quiet'], { env: { DATA_DIR: data } });
    expect(stdout).toBe(`${await kidOf(testKeys().privateKeyPem)}\n`);
    const production = { APP_ENV: 'production', DATA_DIR: data };
    expect(await runCliHere(['keys', 'inspect'], { env: production })).toMatchObject({ code: 1, stdout: '' });
  });

  it('inspect of a missing file exits with 3', async () => {
    expect(await runCliHere(['keys', 'inspect', join(folder, 'none.pem')])).toMatchObject({
      code: 3,
      stdout: '',
    });
  });
});

describe('latchkey keys jwks', () => {
  const env = () => ({
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    JWT_VERIFICATION_KEYS_PEM: otherTestKeys().privateKeyPem,
  });

  it('jwks prints the published key set byte for byte, from settings and from files', async () => {
    const service = await serviceForThisTest({ env: env() });
    const { text } = await service.api('GET', '/.well-known/jwks.json');
    expect((await runCliHere(['keys', 'jwks'], { env: env() })).stdout).toBe(`${text}\n`);
    const byFiles = await runCliHere(['keys', 'jwks', signingFile, otherFile]);
    expect(byFiles).toEqual({ code: 0, stdout: `${text}\n`, stderr: '' });
    expectNothingPrivate(byFiles.stdout);
    const inLines = await runCliHere(['keys', 'jwks', '--json'], { env: env() });
    expect(JSON.parse(inLines.stdout)).toEqual(JSON.parse(text));
  });

  it('jwks --pem prints public PEM', async () => {
    const { stdout } = await runCliHere(['keys', 'jwks', '--pem', signingFile]);
    expect(stdout).toBe(testKeys().publicKeyPem);
    expect(createPublicKey(stdout).type).toBe('public');
  });

  it('jwks rejects a file without a valid key', async () => {
    const { code, stdout, stderr } = await runCliHere(['keys', 'jwks', weakFile]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`latchkey keys inspect ${weakFile}`);
  });
});

it('the error of a missing or invalid signing key names the command that creates one', async () => {
  const env = { JWT_SIGNING_KEY_PEM: 'no key' };
  const { code, stderr } = await runCliHere(['keys', 'jwks'], { env });
  expect(code).toBe(1);
  expect(stderr).toContain('run: latchkey keys generate --out signing-key.pem');
});
