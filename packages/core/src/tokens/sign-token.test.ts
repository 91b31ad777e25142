import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { generateSigningKey } from './generate-signing-key.js';
import { KeySet } from './key-set.js';
import { signToken } from './sign-token.js';
import { publicPemOf, readRsaKeys } from './signing-key.js';

let keys: KeySet;
beforeAll(async () => {
  keys = await KeySet.fromPem(await generateSigningKey());
});

const signedByJose = (claims: JWTPayload) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: keys.signingKeyId })
    .sign(keys.signingKey);

it.each<[string, JWTPayload]>([
  ['no claims', {}],
  ['usual claims', { sub: 'user', iss: 'https://id.example.com', aud: 'api', iat: 1, exp: 2, jti: 'a' }],
  ['several audiences', { aud: ['one', 'two'] }],
  ['text outside of ASCII', { name: 'Zoë Ångström', city: '東京', mood: '🙂', odd: '\u2028 "\\ \u0000' }],
  [
    'nested values',
    { plan: { seats: [1, 2.5, -0, 1e21], trial: false, until: null, nested: { deep: [[]] } } },
  ],
  ['an undefined claim', { sub: 'user', act: undefined }],
  ['half of a surrogate pair', { name: '\ud800' }],
])('a token with %s is the one that jose signs', async (_what, claims) => {
  expect(await signToken('at+jwt', claims, keys)).toBe(await signedByJose(claims));
});

it('jose verifies a signed token by the published key', async () => {
  const token = await signToken('at+jwt', { sub: 'user', plan: 'gold' }, keys);
  const { payload, protectedHeader } = await jwtVerify(token, keys.find(keys.signingKeyId)!, {
    algorithms: ['RS256'],
    typ: 'at+jwt',
  });
  expect(payload).toEqual({ sub: 'user', plan: 'gold' });
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: keys.signingKeyId });
});

it('a public key signs nothing', async () => {
  const [publicKey] = await readRsaKeys(publicPemOf(keys.toJwks().keys[0]!));
  const verifying = { signingKeyId: 'public', signingKey: publicKey!.publicKey, find: () => undefined };
  await expect(signToken('at+jwt', { sub: 'user' }, verifying)).rejects.toThrow();
});
