import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createVerifier } from '@latchkey/verifier';
import { messageClasses, requireAuth } from '@latchkey/verifier/express';

// Another service with one route behind the guard of a verifier: on Express as it is shipped, or with its message classes.
const { BODY = '{}', ISSUER = '', LATCHKEY_URL = '', AUTH_INTERNAL_API_KEY = '', CLASSES = '' } = process.env;
const reply = JSON.parse(BODY) as unknown;
const verifier = await createVerifier({
  issuer: ISSUER,
  audience: 'latchkey',
  url: LATCHKEY_URL,
  credential: { internalApiKey: AUTH_INTERNAL_API_KEY },
});

const app = express();
app.get('/verified', requireAuth(verifier), (_request, response) => {
  response.json(reply);
});

const server = createServer(CLASSES === 'true' ? messageClasses(app) : {}, app);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
