import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newServiceSecret } from '@latchkey/operations';
import { freePort } from '../../tools/shared/free-port.mjs';
import { describeOnTerminal, runCliHere, runCliOnTerminal, type CliResult } from '../support/cli-process.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { otherTestKeys, testKeys } from '../support/test-keys.js';

const CLIENT = newServiceSecret();
const SERVICE_CLIENTS = JSON.stringify([
  {
    id: 'billing',
    secretHashes: [`sha256:${CLIENT.hash}`],
    audiences: ['latchkey'],
    scopes: ['internal:read'],
  },
]);

let service: TestService;
let user: SignedInTestUser;
let serviceToken: string;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService({ env: { SERVICE_CLIENTS } });
  user = await signedInUser(service);
  const issued = await service.api('POST', '/auth/service-token', {
    body: { clientId: 'billing', clientSecret: CLIENT.secret },
  });
  serviceToken = String(issued.data.serviceToken);
  folder = await mkdtemp(join(tmpdir(), 'latchkey-tokens-'));
  env = {
    JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
    AUTH_BASE_URL: service.publicUrl,
    DATABASE_URL: service.databaseUrl,
  };
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const tokens = (args: string[], input: string, more: Record<string, string> = {}): Promise<CliResult> =>
  runCliHere(['tokens', ...args], { env: { ...env, ...more }, input });

async function fileWith(text: string): Promise<string> {
  const path = join(folder, 'content');
  await writeFile(path, text);
  return path;
}

describe('latchkey tokens decode', () => {
  it('decode prints header and claims without the signature, and warns that nothing was verified', async () => {
    const [, , signature = ''] = user.token.split('.');
    const { code, stdout, stderr } = await tokens(['decode'], `Bearer ${user.token}\n`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^verified\tno\n/);
    expect(stdout).toContain('header typ\tat+jwt');
    expect(stdout).toContain(`sub\t${user.id}`);
    expect(stdout).toMatch(/^exp\t\d{4}-\d\d-\d\dT.*Z$/m);
    expect(stderr).toBe('NOT VERIFIED. Anyone can create a token with this content.\n');
    expect(stdout + stderr).not.toContain(signature);
  });

  it('decode prints unchanged claims for a program, and reads a file', async () => {
    const { stdout } = await tokens(['decode', await fileWith(`${user.token}\n`), '--json'], '');
    const view = JSON.parse(stdout) as { verified: boolean; claims: Record<string, unknown> };
    expect(view).toMatchObject({ verified: false, header: { alg: 'RS256' }, claims: { sub: user.id } });
    expect(view.claims.exp).toEqual(expect.any(Number));
    expect(JSON.stringify(view)).not.toContain(user.token.split('.')[2]);
  });

  it.each(['decode', 'verify'])(
    '%s accepts no token as an argument, which others could read',
    async (verb) => {
      for (const argument of [user.token, `Bearer ${user.token}`, `lkr_${'x'.repeat(72)}`]) {
        const { code, stdout, stderr } = await tokens([verb, argument], '');
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain('other users of this machine can read arguments');
        expect(stderr).not.toContain(argument);
      }
    },
  );

  it.each([
    ['a refresh token', `lkr_${'x'.repeat(72)}`, 'a refresh token. It is opaque'],
    ['nothing', '\n', 'There is no token.'],
    ['other text', 'hello', 'not a signed JWT'],
  ])('decode explains the error of %s', async (_what, input, message) => {
    const { code, stdout, stderr } = await tokens(['decode'], input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('decode escapes control characters in claims', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hostile = `${part({ alg: 'none' })}.${part({ sub: '\u001b[2J\u202e' })}.x`;
    const { stdout } = await tokens(['decode'], hostile);
    expect(stdout).not.toMatch(/\u001b|\u202e/);
    expect(stdout).toContain('[2J');
  });
});

describe('latchkey tokens verify', () => {
  const view = ({ stdout }: CliResult) => JSON.parse(stdout) as Record<string, unknown>;

  it('verify accepts access and service tokens with the settings alone', async () => {
    const { code, stdout, stderr } = await tokens(['verify'], user.token, { DATABASE_URL: 'nonsense' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(`^Valid: access token of ${user.id}, expires in \\d+ minutes \\(.*Z\\)\\.\n$`),
    );
    const ofService = view(await tokens(['verify', '--json'], serviceToken));
    expect(ofService).toMatchObject({ valid: true, kind: 'service', failed: null, session: 'not checked' });
  });

  it('verify accepts a key set from an address or a file', async () => {
    const jwks = `${service.url}/.well-known/jwks.json`;
    const { text } = await service.api('GET', '/.well-known/jwks.json');
    for (const source of [jwks, await fileWith(text)]) {
      const args = ['verify', '--jwks', source, '--issuer', service.publicUrl];
      const { code, stderr } = await runCliHere(['tokens', ...args], { input: user.token });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ['the issuer', ['--issuer', 'https://other.example.com'], {}, 'issuer'],
    ['the audience', ['--audience', 'ledger'], {}, 'audience'],
    ['the key', [], { JWT_SIGNING_KEY_PEM: 'other' }, 'key'],
  ])('verify reports a wrong %s, and exits with 1', async (_what, args, more, failed) => {
    const settings = more.JWT_SIGNING_KEY_PEM ? { JWT_SIGNING_KEY_PEM: otherTestKeys().privateKeyPem } : {};
    const result = await tokens(['verify', '--json', ...args], user.token, settings);
    expect(result.code).toBe(1);
    expect(view(result)).toMatchObject({ valid: false, failed, kind: 'access' });
    expect(result.stderr).toBe(`error: The token is rejected (${failed}).\n`);
  });

  it('verify reports an invalid signature', async () => {
    const [header = '', , signature = ''] = user.token.split('.');
    const claims = Buffer.from(user.token.split('.')[1] ?? '', 'base64url').toString();
    const changed = Buffer.from(claims.replace('NONE', 'PLATFORM_ADMIN')).toString('base64url');
    const { code, stdout } = await tokens(['verify'], `${header}.${changed}.${signature}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Rejected: the signature of this access token is not valid: /);
  });

  it('verify --online rejects the token of an ended session, and without it does not', async () => {
    const other = await signedInUser(service);
    const online = ['verify', '--online', '--json'];
    expect(view(await tokens(online, other.token))).toMatchObject({ valid: true, session: 'active' });
    await service.machine('POST', `/internal/admin/users/${other.id}/revoke-all`);
    expect(view(await tokens(['verify', '--json'], other.token))).toMatchObject({ valid: true });
    const ended = await tokens(online, other.token);
    expect(ended.code).toBe(1);
    expect(view(ended)).toMatchObject({
      valid: false,
      failed: 'session',
      session: 'ended',
      reason: 'This session was ended. Sign in again.',
    });
    const used = await service.sql(
      'SELECT last_used_at = created_at AS unused FROM sessions WHERE user_id = $1',
      [other.id],
    );
    expect(used).toEqual([{ unused: true }]);
  });

  it('verify --online fails if the database is unavailable', async () => {
    const DATABASE_URL = `postgres://latchkey@127.0.0.1:${await freePort()}/auth`;
    const { code, stdout } = await tokens(['verify', '--online'], user.token, { DATABASE_URL });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  });

  it.each([
    ['no key set', { status: 200, body: '{}' }, { code: 1, message: 'holds no key set' }],
    ['an error', { status: 500, body: 'oops' }, { code: 4, message: 'it answers 500' }],
  ])(
    'verify reports an address that responds with %s',
    async (_what, { status, body }, { code, message }) => {
      const server = createServer((_request, response) => response.writeHead(status).end(body));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
      const result = await tokens(['verify', '--jwks', address], user.token);
      expect(result).toMatchObject({ code, stdout: '' });
      expect(result.stderr).toContain(message);
    },
  );
});

describeOnTerminal('latchkey tokens decode on a terminal', () => {
  it('decode asks for the token with a hidden prompt, and prints relative times', async () => {
    const react = (shown: string) => (shown.includes('Token (hidden)') ? `${user.token}\r` : undefined);
    const { code, stdout } = await runCliOnTerminal(['tokens', 'decode'], react, { env: { NO_COLOR: '1' } });
    expect(code, stdout).toBe(0);
    expect(stdout).not.toContain(user.token);
    expect(stdout).toContain('NOT VERIFIED');
    expect(stdout).toMatch(/exp +\d{4}-.*Z \(in \d+ minutes\)/);
  });
});
