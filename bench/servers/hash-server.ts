import type { AddressInfo } from 'node:net';
import express from 'express';
import { unobserved } from '../../packages/core/src/kernel/observer.js';
import { PasswordHasher } from '../../packages/core/src/passwords/password-hasher.js';
import { ARGON2 } from '../support/argon2.js';

// Express with the service's hashing threads and nothing else: the least that a server does to check a password.
const hasher = await PasswordHasher.start({ ...ARGON2, observer: unobserved });
const stored = await hasher.hash('correct horse battery staple');

const app = express();

app.post('/hash', express.json(), async (request, response) => {
  const { password } = request.body as { password: string };
  response.json({ success: await hasher.verify(stored, password) });
});

app.get('/bare', (_request, response) => {
  response.json({ success: true, data: { id: 'a', email: 'a@example.com', roles: [] } });
});

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
