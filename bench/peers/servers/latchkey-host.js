import { createServer } from 'node:http';
import express from 'express';
import { createAuth, readSettings } from '@latchkey/core';
import { createGuards, getAuth, messageClasses } from '@latchkey/express-adapter';
import { listen, reportReady } from './listen.js';

// A host app with Latchkey's guards, on the database and the keys of the service that signs users in. One route reads
// PostgreSQL, the other accepts session hints from Redis. HTTP_SERVER chooses the server that Latchkey's documentation
// advises (`advised`), or that of `app.listen` (`plain`).
const auth = await createAuth(readSettings(), { migrate: false, sendMail: false });

const app = express();
app.disable('x-powered-by');
app.get('/database', createGuards(auth).requireAuth, sendUser);
app.get('/hint', createGuards(auth, { check: 'hint' }).requireAuth, sendUser);

const server =
  process.env.HTTP_SERVER === 'plain' ? createServer(app) : createServer(messageClasses(app), app);
reportReady(await listen(server));

function sendUser(request, response) {
  response.json({ userId: getAuth(request).userId });
}
