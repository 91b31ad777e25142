import { createVerifier } from '@latchkey/verifier';
import { ordersServer } from './orders-server.js';

const issuer = process.env.JWT_ISSUER ?? 'http://localhost:3097';
const port = Number(process.env.ORDERS_PORT ?? 3101);

// Waits for Latchkey: a service that takes payments had better not start without it.
const verifier = await createVerifier({
  issuer,
  audience: process.env.JWT_AUDIENCE ?? 'latchkey',
  url: process.env.LATCHKEY_URL ?? issuer,
  credential: { internalApiKey: process.env.AUTH_INTERNAL_API_KEY ?? 'machine-key-for-development' },
  whenStale: 'refuse',
});

const server = ordersServer(verifier).listen(port, '127.0.0.1', () => {
  console.log(`curl -i http://localhost:${port}/orders -H "Authorization: Bearer $ACCESS"`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    verifier.close();
    server.close();
    server.closeIdleConnections();
  });
}
