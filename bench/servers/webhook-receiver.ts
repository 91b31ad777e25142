import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A receiver of webhooks on another continent: it responds after a round trip.
const ROUND_TRIP_MS = 50;

const server = createServer((request, response) => {
  request.resume();
  setTimeout(() => response.writeHead(204).end(), ROUND_TRIP_MS);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
