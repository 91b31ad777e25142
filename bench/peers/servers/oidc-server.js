import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { required } from './environment.js';
import { listen, reportReady } from './listen.js';
import { createMapAdapter } from './map-adapter.js';

// oidc-provider with JWT access tokens (RFC 9068) signed by RS256 and a refresh token that rotates at each use. A public
// client and a scope without `openid` keep its work at Latchkey's: no client secret to verify, no ID token to sign.
const CLIENT_ID = 'bench';
const AUDIENCE = 'https://api.example.com';
const SCOPE = 'api';

const server = createServer();
const port = await listen(server);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: createMapAdapter(),
  clients: [
    {
      client_id: CLIENT_ID,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: ['https://app.example.com/callback'],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'bench' }] },
  cookies: { keys: ['not used by the token endpoint'] },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  rotateRefreshToken: true,
  // Latchkey's lifetimes.
  ttl: { AccessToken: 900, RefreshToken: 14 * 86_400, Grant: 14 * 86_400 },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({
        scope: SCOPE,
        audience: AUDIENCE,
        accessTokenTTL: 900,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});

const refreshTokens = JSON.stringify(await seedRefreshTokens(JSON.parse(required('EMAILS'))));
const handle = provider.callback();
server.on('request', (request, response) => {
  if (request.url === '/bench/refresh-tokens') response.end(refreshTokens);
  else handle(request, response);
});
reportReady(port);

/** Issues one refresh token for each account, as a completed authorization code flow does. */
async function seedRefreshTokens(accountIds) {
  const client = await provider.Client.find(CLIENT_ID);
  return Promise.all(accountIds.map((accountId) => issueRefreshToken(client, accountId)));
}

async function issueRefreshToken(client, accountId) {
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addResourceScope(AUDIENCE, SCOPE);
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    accountId,
    client,
    grantId,
    scope: SCOPE,
    resource: AUDIENCE,
    gty: 'authorization_code',
  });
  return token.save();
}
