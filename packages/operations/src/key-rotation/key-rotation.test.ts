import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '@latchkey/core/internal/settings/read-settings';
import { KeySet } from '@latchkey/core/internal/tokens/key-set';
import { readRsaKey } from '@latchkey/core/internal/tokens/signing-key';
import { testKeys } from '../../../../test/support/test-keys.js';
import { KeyRotation } from './key-rotation.js';
import type { RotationLifetimes } from './rotation-times.js';

const LIFETIMES: RotationLifetimes = {
  accessTokenTtl: 900,
  serviceTokenTtl: 300,
  sessionMaxLifetime: 30 * 86_400,
  hasPepper: false,
};

let folder: string;
let rotation: KeyRotation;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-rotation-'));
  await writeFile(at('signing-key.pem'), testKeys().privateKeyPem, { mode: 0o600 });
  rotation = new KeyRotation(folder, LIFETIMES);
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** Advances the clock, not the timers. */
const later = (seconds: number): void =>
  void vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] });

/** Returns the keys as a service reads them. */
async function serviceKeys(): Promise<KeySet> {
  const { tokens } = readSettings({
    JWT_SIGNING_KEY_PEM_FILE: at('signing-key.pem'),
    JWT_VERIFICATION_KEYS_PEM_FILE: at('verification-keys.pem'),
  });
  return KeySet.fromPem(tokens.signingKeyPem?.reveal() ?? '', tokens.verificationKeysPem?.reveal());
}

const published = async (): Promise<string[]> => (await serviceKeys()).toJwks().keys.map(({ kid }) => kid);
const rolesOf = ({ keys }: { keys: { role: string }[] }): string[] => keys.map(({ role }) => role);

describe('a rotation', () => {
  it('replaces a key in steps without changes to service settings', async () => {
    const { kid: first } = await readRsaKey(testKeys().privateKeyPem);
    const { keys, settings } = await rotation.publish();
    const next = keys[1]?.kid ?? '';
    expect(settings).toEqual({
      JWT_SIGNING_KEY_PEM_FILE: at('signing-key.pem'),
      JWT_VERIFICATION_KEYS_PEM_FILE: at('verification-keys.pem'),
    });
    expect(await published()).toEqual([first, next]);

    await rotation.confirmRestart();
    later(301);
    expect(rolesOf(await rotation.promote({ force: false }))).toEqual(['signing', 'old']);
    expect(await published()).toEqual([next, first]);

    await rotation.confirmRestart();
    later(30 * 86_400 + 1);
    expect(rolesOf(await rotation.retire({ force: false }))).toEqual(['signing']);
    expect(await published()).toEqual([next]);
    expect(await readdir(folder)).toEqual(['rotation.json', 'signing-key.pem', 'verification-keys.pem']);
  });

  it('gives services both private halves while two keys are in use, because refresh tokens are derived from both', async () => {
    await rotation.publish();
    expect((await serviceKeys()).privateKeys).toHaveLength(2);
    await rotation.promote({ force: true });
    expect((await serviceKeys()).privateKeys).toHaveLength(2);
  });

  it('generates a next key of the requested length', async () => {
    const { keys } = await rotation.publish(3072);
    expect(keys.map(({ bits }) => bits)).toEqual([2048, 3072]);
  });

  it('can start again while an older key is still kept', async () => {
    for (let turn = 0; turn < 2; turn++) {
      await rotation.publish();
      await rotation.promote({ force: true });
      await rotation.confirmRestart();
      later(86_400);
    }
    const { keys } = await rotation.status();
    expect(rolesOf({ keys })).toEqual(['signing', 'old', 'old']);
    later(28 * 86_400 + 1);
    expect((await rotation.retire({ force: false })).keys).toHaveLength(2);
    expect(await published()).toHaveLength(2);
  });

  it.each([
    ['a next key is already published', ['publish', 'publish'], /already published/],
    ['there is no next key', ['promote'], /no next key/],
    ['there is no old key', ['publish', 'retire'], /no old key/],
  ] as const)('rejects a step when %s', async (_what, steps, reason) => {
    const run = async () => {
      for (const step of steps) {
        if (step === 'publish') await rotation.publish();
        else await rotation[step]({ force: true });
      }
    };
    await expect(run()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(reason) as string,
    });
  });
});

describe('files changed by an operator between the steps', () => {
  const signingKey = () => readFile(at('signing-key.pem'), 'utf8');
  const verificationKeys = () => readFile(at('verification-keys.pem'), 'utf8');

  it.each([
    ['without the signing key', (signing: string, all: string) => all.replace(signing, '')],
    [
      'with its public half only',
      (signing: string, all: string) => all.replace(signing, testKeys().publicKeyPem),
    ],
  ])('%s lose no private half when the next key is promoted', async (_what, change) => {
    const { keys } = await rotation.publish();
    const signing = await signingKey();
    await writeFile(at('verification-keys.pem'), change(signing, await verificationKeys()));
    expect(await verificationKeys()).not.toContain(signing);
    await rotation.promote({ force: true });
    expect(await published()).toEqual([keys[1]?.kid, keys[0]?.kid]);
    expect((await serviceKeys()).privateKeys).toHaveLength(2);
  });

  it('with the old key restored for signing lose no key when another one is promoted', async () => {
    const first = await signingKey();
    await rotation.publish();
    await rotation.promote({ force: true });
    const second = await signingKey();
    await rotation.confirmRestart();
    await writeFile(at('signing-key.pem'), first);
    expect(rolesOf(await rotation.status())).toEqual(['signing', 'old']);
    await rotation.publish();
    await rotation.promote({ force: true });
    for (const key of [first, second]) expect(await verificationKeys()).toContain(key);
  });

  it('restart the waiting time of a key that signs again', async () => {
    const first = await signingKey();
    await rotation.publish();
    await rotation.promote({ force: true });
    await rotation.confirmRestart();
    await writeFile(at('signing-key.pem'), first);
    later(30 * 86_400);
    await rotation.publish();
    await rotation.promote({ force: true });
    await expect(rotation.retire({ force: false })).rejects.toThrow('have not been restarted');
    await rotation.confirmRestart();
    await expect(rotation.retire({ force: false })).rejects.toThrow(/Sessions from the time of the old key/);
    expect(await verificationKeys()).toContain(first);
  });
});

describe('a premature step', () => {
  const early = (step: 'promote' | 'retire') => rotation[step]({ force: false });

  it('is a promotion before the services were restarted and every cached key set has expired', async () => {
    await rotation.publish();
    await expect(early('promote')).rejects.toThrow('have not been restarted');
    await rotation.confirmRestart();
    later(290);
    await expect(early('promote')).rejects.toThrow(/Verifiers may hold a key set .* until \d{4}-/);
    later(11);
    await early('promote');
  });

  it('is a removal before the tokens and sessions of the old key have ended', async () => {
    await rotation.publish();
    await rotation.promote({ force: true });
    await expect(early('retire')).rejects.toThrow('have not been restarted');
    await rotation.confirmRestart();
    later(900);
    const [, old] = (await rotation.status()).keys;
    await expect(early('retire')).rejects.toThrow(
      `Sessions from the time of the old key last until ${old?.retirableAt ?? ''}, and their refresh tokens`,
    );
  });

  it('is a removal before its tokens have expired, if refresh tokens have a separate pepper', async () => {
    rotation = new KeyRotation(folder, { ...LIFETIMES, hasPepper: true });
    await rotation.publish();
    await rotation.promote({ force: true });
    await rotation.confirmRestart();
    await expect(early('retire')).rejects.toThrow(/Tokens signed by the old key are valid until/);
    later(906);
    expect(rolesOf(await early('retire'))).toEqual(['signing']);
  });

  it('changes nothing', async () => {
    await rotation.publish();
    const before = await published();
    await expect(early('promote')).rejects.toThrow();
    expect(await published()).toEqual(before);
  });
});

describe('the status', () => {
  it('contains the next step and its earliest time at each point', async () => {
    const next = async () => (await rotation.status()).next;
    expect(await next()).toEqual({ step: 'publish', possibleAt: null });
    await rotation.publish();
    expect(await next()).toEqual({ step: 'restart', possibleAt: null });
    const { keys } = await rotation.confirmRestart();
    expect(await next()).toEqual({ step: 'promote', possibleAt: keys[1]?.promotableAt });
    await rotation.promote({ force: true });
    expect(await next()).toEqual({ step: 'restart', possibleAt: null });
    const promoted = await rotation.confirmRestart();
    expect(await next()).toEqual({ step: 'retire', possibleAt: promoted.keys[1]?.retirableAt });
  });

  it('contains no private key', async () => {
    const text = JSON.stringify(await rotation.publish());
    expect(text).not.toContain('PRIVATE');
    expect(text).not.toContain(testKeys().privateKeyPem.split('\n')[1]);
  });

  it('without records treats every other key as an old one with its full waiting time', async () => {
    await rotation.publish();
    await rm(at('rotation.json'));
    expect(rolesOf(await rotation.status())).toEqual(['signing', 'old']);
    await expect(rotation.retire({ force: false })).rejects.toThrow('have not been restarted');
    await rotation.publish();
    expect(rolesOf(await rotation.status())).toEqual(['signing', 'old', 'next']);
  });
});

describe('the folder', () => {
  it('contains files readable by their owner only, and by the group if it may read the signing key', async () => {
    await rotation.publish();
    const modeOf = async (name: string) => (await stat(at(name))).mode & 0o777;
    for (const name of await readdir(folder)) expect(await modeOf(name), name).toBe(0o600);
    await chmod(at('signing-key.pem'), 0o644);
    await rotation.promote({ force: true });
    for (const name of await readdir(folder)) {
      if (name !== 'verification-keys.pem') expect(await modeOf(name), name).toBe(0o640);
    }
  });

  it.runIf(process.getuid?.() === 0)(
    'keeps the owner and group of the signing key for all files',
    async () => {
      await chown(at('signing-key.pem'), 65_534, 65_534);
      await rotation.publish();
      await rotation.promote({ force: true });
      for (const name of await readdir(folder)) {
        expect(await stat(at(name)), name).toMatchObject({ uid: 65_534, gid: 65_534 });
      }
    },
  );

  it.each([
    ['no signing key', () => rm(at('signing-key.pem')), 'not_found', /There is no .*signing-key\.pem/],
    [
      'a public key to sign with',
      () => writeFile(at('signing-key.pem'), testKeys().publicKeyPem),
      'conflict',
      /one private key/,
    ],
    ['damaged records', () => writeFile(at('rotation.json'), '{'), 'conflict', /rotation\.json is damaged/],
    [
      'a broken key',
      () => writeFile(at('verification-keys.pem'), broken),
      'conflict',
      /cannot be read as a key/,
    ],
  ])('with %s is not changed', async (_what, spoil, code, message) => {
    await spoil();
    const before = await Promise.all((await readdir(folder)).map((name) => readFile(at(name), 'utf8')));
    await expect(rotation.publish()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    const after = await Promise.all((await readdir(folder)).map((name) => readFile(at(name), 'utf8')));
    expect(after).toEqual(before);
  });

  it('that does not exist causes an error', async () => {
    await expect(new KeyRotation(at('nowhere'), LIFETIMES).publish()).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

const broken = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
