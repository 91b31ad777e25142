import { createServer } from 'node:http';
import express from 'express';
import { expressjwt } from 'express-jwt';
import { auth } from 'express-oauth2-jwt-bearer';
import jwks from 'jwks-rsa';
import { required } from './environment.js';
import { listen, reportReady } from './listen.js';

// One route for each library, which verifies Latchkey's access tokens by the key set that Latchkey serves.
const expected = { issuer: required('ISSUER'), audience: required('AUDIENCE') };
const jwksUri = required('JWKS_URI');

const app = express();
app.disable('x-powered-by');

app.get('/express-oauth2-jwt-bearer', auth({ ...expected, jwksUri, tokenSigningAlg: 'RS256' }), sendUser);

const secret = jwks.expressJwtSecret({ jwksUri, cache: true, rateLimit: true, jwksRequestsPerMinute: 5 });
app.get('/express-jwt', expressjwt({ ...expected, secret, algorithms: ['RS256'] }), sendUser);

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ success: false, error: error.message });
});

const server = createServer(app);
reportReady(await listen(server));

function sendUser(request, response) {
  const { sub } = request.auth.payload ?? request.auth;
  response.json({ userId: sub });
}
