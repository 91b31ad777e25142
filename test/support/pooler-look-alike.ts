import { connect, createServer, type AddressInfo } from 'node:net';

export interface PoolerLookAlike {
  url: string;
  close(): Promise<void>;
}

/** `K`: the server's process number and the key to cancel, each of four bytes. */
const BACKEND_KEY = 0x4b;

/**
 * A way to a PostgreSQL server that reports another process number than the server's, as a pooler does. The
 * rest passes unchanged.
 */
export async function poolerBefore(databaseUrl: string): Promise<PoolerLookAlike> {
  const { hostname, port } = new URL(databaseUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => client.write(withOtherNumber(chunk)));
    upstream.on('close', () => client.destroy()).on('error', () => client.destroy());
    client.on('close', () => upstream.destroy()).on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Messages are a type, a length that counts itself, and a body. */
function withOtherNumber(chunk: Buffer): Buffer {
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
    if (chunk[at] === BACKEND_KEY && at + 9 <= chunk.length) chunk.writeUInt32BE(1, at + 5);
  }
  return chunk;
}
