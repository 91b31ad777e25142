import { describe, expect, it } from 'vitest';
import { readSettings } from '../read-settings.js';
import { SettingsError } from '../setting-fault.js';

const GOOGLE = { id: 'google', type: 'google', clientId: 'client', clientSecret: 'hidden-secret' };
const OIDC = { ...GOOGLE, id: 'plain', type: 'oidc', issuer: 'https://login.example.com' };

const read = (providers: unknown, env: Record<string, string> = {}) =>
  readSettings({
    EXTERNAL_PROVIDERS: typeof providers === 'string' ? providers : JSON.stringify(providers),
    ...env,
  });

function faultOf(providers: unknown, env: Record<string, string> = {}): string {
  try {
    read(providers, env);
    return '';
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

describe('EXTERNAL_PROVIDERS', () => {
  it('is read with its defaults', () => {
    expect(read([GOOGLE, OIDC]).external.providers?.reveal()).toMatchObject([
      { id: 'google', label: 'Google', trustsFactors: false, reauthenticates: false },
      { id: 'plain', label: 'plain', issuer: 'https://login.example.com' },
    ]);
  });

  it.each([
    ['no JSON', 'google'],
    ['no list', {}],
    ['an empty list', []],
    ['two connections of one id', [GOOGLE, GOOGLE]],
    ['an unknown field', [{ ...GOOGLE, clientSecrets: 'x' }]],
    ['an unknown type', [{ ...GOOGLE, type: 'apple' }]],
    ['an id that is no part of an address', [{ ...GOOGLE, id: 'Google/1' }]],
    ['no secret', [{ ...GOOGLE, clientSecret: undefined }]],
    ['a secret and a key', [{ ...GOOGLE, privateKeyFile: '/key.pem' }]],
    ['an OpenID provider without an issuer', [{ ...OIDC, issuer: undefined }]],
    ['an issuer that is not encrypted', [{ ...OIDC, issuer: 'http://login.example.com' }]],
    ['an issuer with a query', [{ ...OIDC, issuer: 'https://login.example.com/?a=b' }]],
    ['a tenant that is a name', [{ ...GOOGLE, type: 'microsoft', tenant: 'firm.example' }]],
    ['a tenant of Google', [{ ...GOOGLE, tenant: 'common' }]],
    ['factors of GitHub', [{ ...GOOGLE, type: 'github', trustsFactors: true }]],
  ])('%s is a fault that shows no secret', (_what, providers) => {
    const fault = faultOf(providers);
    expect(fault).toContain('EXTERNAL_PROVIDERS');
    expect(fault).not.toContain('hidden-secret');
  });

  it.each([
    ['no JSON', '[{"id":"google",}]', 'is not JSON'],
    [
      'a field that comes twice',
      '[{"id":"google","type":"google","clientId":"a","clientSecret":"planted-secret","client\\u0053ecret":"other"}]',
      'an object has a field twice',
    ],
    ['half a character in a label', [{ ...GOOGLE, label: '\ud83c' }], 'provider 1 label must be'],
    ['an unknown field', [{ ...GOOGLE, clientSecrets: 'x' }], 'clientSecret, privateKeyFile'],
    [
      'the address of the metadata',
      [{ ...OIDC, issuer: 'https://login.example.com/.well-known/openid-configuration' }],
      'provider 1 issuer must end before /.well-known/',
    ],
    ['scopes without an ID token', [{ ...OIDC, scopes: ['email'] }], 'provider 1 scopes must contain openid'],
    ['a label of spaces', [{ ...GOOGLE, label: '  ' }], 'provider 1 label must be'],
  ])('%s is a fault that says what to write', (_what, providers, words) => {
    expect(faultOf(providers)).toContain(words);
  });

  it('takes scopes of GitHub, and the id of a tenant in capital letters', () => {
    const tenant = '6FFF1C6B-0000-4000-8000-00000000ABCD';
    const github = { ...GOOGLE, id: 'github', type: 'github', scopes: ['user:email'] };
    const { providers } = read([{ ...GOOGLE, type: 'microsoft', tenant }, github]).external;
    expect(providers?.reveal()).toMatchObject([{ tenant: tenant.toLowerCase() }, { scopes: ['user:email'] }]);
  });

  it('needs its own issuers to be real ones in production, and a key of encryption', () => {
    const production = { APP_ENV: 'production' };
    expect(faultOf([{ ...GOOGLE, issuer: 'https://evil.example' }], production)).toContain(
      'an issuer of provider google',
    );
    expect(faultOf([{ ...OIDC, issuer: 'http://localhost:1234' }], production)).toContain(
      'an issuer of provider plain',
    );
    expect(faultOf([GOOGLE], production)).toContain('when EXTERNAL_PROVIDERS is set');
  });

  it('creates accounts only where users may register', () => {
    expect(faultOf([GOOGLE], { EXTERNAL_SIGN_UP: 'true' })).toContain('EXTERNAL_SIGN_UP');
    expect(faultOf([GOOGLE], { EXTERNAL_SIGN_UP: 'true', PUBLIC_REGISTRATION_ENABLED: 'true' })).toBe('');
  });

  it('spells addresses of front ends as browsers send them', () => {
    const uris = 'https://App.Example.com:443/Cb/, com.example.app:/cb, https://bücher.example/cb';
    expect(read([GOOGLE], { EXTERNAL_REDIRECT_URIS: uris }).external.redirectUris).toEqual([
      'https://app.example.com/Cb',
      'com.example.app:/cb',
      'https://xn--bcher-kva.example/cb',
    ]);
  });

  it.each(['http://app.example.com/cb', 'https://app.example.com/cb?x', 'javascript:alert(1)', 'nonsense'])(
    'sends no response to %s',
    (uri) => {
      expect(faultOf([GOOGLE], { EXTERNAL_REDIRECT_URIS: uri })).toContain('EXTERNAL_REDIRECT_URIS');
    },
  );
});
