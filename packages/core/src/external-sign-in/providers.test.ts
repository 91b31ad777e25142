import { describe, expect, it } from 'vitest';
import type { ExternalProviderSettings } from '../settings/external-provider-settings.js';
import { ProviderRefusal } from './external-provider.js';
import { GithubProvider } from './github-provider.js';
import { provesMailbox } from './mailbox-authority.js';

describe('whether a provider decides who has the mailbox', () => {
  it.each([
    ['google', { email: 'ada@gmail.com', email_verified: true }, true],
    ['google', { email: 'ada@firm.example', email_verified: true, hd: 'Firm.example' }, true],
    ['google', { email: 'ada@gmail.com', email_verified: false }, false],
    ['google', { email: 'ada@gmail.com', email_verified: 'true' }, false],
    ['google', { email: 'ada@firm.example', email_verified: true, hd: '' }, false],
    ['google', { email: 'ada@gmail.com.evil.example', email_verified: true }, false],
    ['google', { email: 'ada@firm.example', email_verified: true, hd: 'evil.example' }, false],
    ['microsoft', { email: 'ada@firm.example', xms_edov: true }, true],
    ['microsoft', { email: 'ada@firm.example', xms_edov: '1' }, true],
    ['microsoft', { email: 'ada@firm.example', xms_edov: false }, false],
    ['microsoft', { email: 'ada@firm.example', email_verified: true }, false],
    ['microsoft', { xms_edov: true }, false],
    ['github', { email: 'ada@firm.example', email_verified: true, xms_edov: true }, false],
    ['oidc', { email: 'ada@gmail.com', email_verified: true, hd: 'gmail.com', xms_edov: true }, false],
  ] as const)('%s with %j: %s', (type, claims, decides) => {
    expect(provesMailbox(type, claims)).toBe(decides);
  });
});

describe('GitHub', () => {
  const settings: ExternalProviderSettings = {
    id: 'github',
    type: 'github',
    clientId: 'client',
    clientSecret: 'secret',
    label: 'GitHub',
    trustsFactors: false,
    reauthenticates: false,
  };
  const response = {
    ...{ code: 'code', state: 'state', nonce: 'nonce', pkceVerifier: 'verifier' },
    ...{ redirectUri: 'https://auth.example.com/external/callback/github', reauthenticated: false },
  };
  const ANSWERS: Record<string, unknown> = {
    '/login/oauth/access_token': { access_token: 'gho_secret', token_type: 'bearer' },
    '/user': { id: 4711, login: 'ada', name: 'Ada Berg', email: 'shown@example.com' },
    '/user/emails': [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'ada@example.com', primary: true, verified: true },
    ],
  };
  const identify = (answers: Record<string, unknown>) =>
    new GithubProvider(settings, (url) =>
      Promise.resolve(Response.json({ ...ANSWERS, ...answers }[new URL(url).pathname])),
    ).identify(response);

  it.each(['incorrect_client_credentials', 'redirect_uri_mismatch'])(
    'names the reason of a refused client, and not of a refused code: %s',
    async (error) => {
      const refused = identify({ '/login/oauth/access_token': { error } });
      await expect(refused).rejects.toMatchObject({ reason: error });
    },
  );

  it('names the number of the user, and the primary address if it is verified', async () => {
    expect(await identify({})).toMatchObject({
      subject: '4711',
      email: 'ada@example.com',
      emailVerified: true,
      provesMailbox: false,
      fullName: 'Ada Berg',
    });
    const unverified = [{ email: 'ada@example.com', primary: true, verified: false }];
    expect(await identify({ '/user/emails': unverified })).toMatchObject({
      email: undefined,
      emailVerified: false,
    });
  });

  it.each([
    ['an error with status 200', { '/login/oauth/access_token': { error: 'bad_verification_code' } }],
    ['a user without a number', { '/user': { login: 'ada' } }],
    ['a user whose number is text', { '/user': { id: '4711' } }],
    ['no list of addresses', { '/user/emails': { message: 'Not Found' } }],
  ])('refuses %s', async (_what, answers) => {
    await expect(identify(answers)).rejects.toBeInstanceOf(ProviderRefusal);
  });
});
