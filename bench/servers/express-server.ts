import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pino from 'pino';
import { createAuth, readSettings } from '@latchkey/core';
import { accessLog, createAuthRouter, messageClasses } from '@latchkey/express-adapter';

// The routes of the service in an app on Express, as the documentation advises, with an access log like that of the service.
const auth = await createAuth(readSettings(), { migrate: false, sendMail: false });
const log = pino(pino.destination({ dest: '/dev/null', sync: true }));

const app = express();
app.use(accessLog((entry) => log.info(entry, `${entry.method} ${entry.path} ${entry.status}`)));
app.use(createAuthRouter(auth));

const server = createServer(messageClasses(app), app).listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
