import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { createAuth, readSettings } from '@latchkey/core';
import { createGuards, messageClasses } from '@latchkey/express-adapter';

// A host app as the documentation advises, whose routes differ only by their guards.
const reply = JSON.parse(process.env.BODY ?? '{}') as unknown;
const auth = await createAuth(readSettings(), { migrate: false, sendMail: false });

const sendReply: RequestHandler = (_request, response) => {
  response.json(reply);
};

const app = express();
app.get('/default', createGuards(auth).requireAuth, sendReply);
app.get('/key', createGuards(auth, { apiKeys: true }).requireAuth, sendReply);
app.get('/hint', createGuards(auth, { check: 'hint' }).requireAuth, sendReply);

const server = createServer(messageClasses(app), app).listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
