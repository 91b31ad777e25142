import type { AddressInfo } from 'node:net';
import express from 'express';

// Express as it is shipped, with one route that sends `BODY` as JSON: the least that an Express app can do.
const reply = JSON.parse(process.env.BODY ?? '{}') as unknown;

const app = express();
app.get(process.env.ROUTE ?? '/', (_request, response) => {
  response.json(reply);
});

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
