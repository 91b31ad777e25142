import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createAuth, readSettings } from '@latchkey/core';
import { createAuthHandler, fromHono } from '@latchkey/http';

// Latchkey in an app of Hono, as the documentation advises, beside a route that sends `BODY` as JSON: the least that Hono does.
const reply = JSON.parse(process.env.BODY ?? '{}') as unknown;
const auth = await createAuth(readSettings(), { migrate: false, sendMail: false });
const handler = createAuthHandler(auth, { clientAddress: fromHono });

const app = new Hono();
app.get('/bare', (context) => context.json(reply));
app.all('/auth/*', (context) => handler(context.req.raw, context));

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`listening ${port}\n`);
});
