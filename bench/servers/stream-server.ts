import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';

// Express as it is shipped, with one route that sends `BODY` as JSON, and one that keeps an event stream open and sends each a
// heartbeat every five seconds: the least that a server with streams can do.
const reply = JSON.parse(process.env.BODY ?? '{}') as unknown;
const INTERVAL_MS = 200;
const PHASES = 25;
const HEARTBEAT = 'event: heartbeat\nid: 1\ndata: {}\n\n';

const streams = new Set<Response>();
const app = express();

app.get('/bare', (_request, response) => {
  response.json(reply);
});

app.get('/streams', (_request, response) => {
  response.setHeader('Content-Type', 'text/event-stream');
  response.write(HEARTBEAT);
  streams.add(response);
  response.once('close', () => streams.delete(response));
});

let phase = 0;
setInterval(() => {
  phase = (phase + 1) % PHASES;
  [...streams].filter((_, index) => index % PHASES === phase).forEach((stream) => stream.write(HEARTBEAT));
}, INTERVAL_MS).unref();

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
