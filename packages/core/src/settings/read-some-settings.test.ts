import { describe, expect, it } from 'vitest';
import { readGivenSettings, readSomeSettings } from './read-some-settings.js';
import { readTokenSettings } from './read-token-settings.js';
import { SettingsError } from './setting-fault.js';

const BROKEN = { REDIS_URL: 'nonsense', APP_ENV: 'production' };

describe('some settings', () => {
  it('are read with their defaults even if others are faulty', () => {
    expect(
      readSomeSettings(['ACCESS_TOKEN_TTL', 'SERVICE_TOKEN_TTL'], { ...BROKEN, ACCESS_TOKEN_TTL: '1m' }),
    ).toEqual({
      ACCESS_TOKEN_TTL: 60,
      SERVICE_TOKEN_TTL: 300,
    });
  });

  it('are named together if they are faulty, and others are not', () => {
    const read = () =>
      readSomeSettings(['ACCESS_TOKEN_TTL', 'JWT_SIGNING_KEY_PEM', 'JWT_ISSUER'], {
        ...BROKEN,
        ACCESS_TOKEN_TTL: 'soon',
        JWT_SIGNING_KEY_PEM: 'no key',
        JWT_ISSUER_FILE: '/nonexistent/issuer',
      });
    const error = faultOf(read);
    expect(error.faults.map(({ name }) => name).sort()).toEqual([
      'ACCESS_TOKEN_TTL',
      'JWT_ISSUER',
      'JWT_SIGNING_KEY_PEM',
    ]);
    expect(error.message).toContain('latchkey keys generate');
    expect(error.message).not.toContain('no key');
  });

  it('of tokens have the same values as in the service', () => {
    const { tokens, dataDir } = readTokenSettings({ ...BROKEN, SERVER_URL: 'https://auth.example.com' });
    expect(tokens).toMatchObject({ issuer: 'https://auth.example.com', audience: 'latchkey' });
    expect(dataDir).toBe('.latchkey/');
  });

  it('can be read as given, valid or not', () => {
    const given = readGivenSettings(['JWT_SIGNING_KEY_PEM', 'JWT_ISSUER'], {
      JWT_SIGNING_KEY_PEM: 'no key',
      PORT: '1',
    });
    expect([...given]).toEqual([['JWT_SIGNING_KEY_PEM', expect.objectContaining({ text: 'no key' })]]);
  });
});

function faultOf(read: () => unknown): SettingsError {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error('these settings were accepted');
}
