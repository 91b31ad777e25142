import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The service that knows the entitlements: every company has two modules.
const ENTITLEMENTS = JSON.stringify({ modules: ['billing', 'events'], accessPolicyMode: 'ENFORCED' });

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(ENTITLEMENTS);
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
