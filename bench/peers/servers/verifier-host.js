import { createServer } from 'node:http';
import express from 'express';
import { createVerifier } from '@latchkey/verifier';
import { getCaller, requireAuth } from '@latchkey/verifier/express';
import { required } from './environment.js';
import { listen, reportReady } from './listen.js';

// Another service that verifies Latchkey's access tokens with the verifier, on a plain server like those of the peers.
const verifier = await createVerifier({
  issuer: required('ISSUER'),
  audience: required('AUDIENCE'),
  url: required('LATCHKEY_URL'),
  credential: { internalApiKey: required('AUTH_INTERNAL_API_KEY') },
});

const app = express();
app.disable('x-powered-by');
app.get('/verifier', requireAuth(verifier), (request, response) => {
  response.json({ userId: getCaller(request).userId });
});

reportReady(await listen(createServer(app)));
