import express from 'express';
import { createAuth, readSettings } from '@latchkey/core';
import { createAuthRouter } from '@latchkey/express-adapter';
import { required } from './environment.js';

// The least app that embeds Latchkey, as the page on embedding shows it: it checks and applies migrations.
const auth = await createAuth(readSettings());
const app = express();
app.disable('x-powered-by');
app.use(createAuthRouter(auth));
app.listen(Number(required('PORT')), '127.0.0.1');
