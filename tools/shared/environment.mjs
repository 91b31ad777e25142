import { once } from 'node:events';
import net from 'node:net';

/** A port that nothing listens on. */
export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Only what programs need to run: settings of the machine at hand must not decide the outcome. */
export function plainEnvironment(settings) {
  const kept = ['PATH', 'HOME', 'TMPDIR'].filter((name) => process.env[name] !== undefined);
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), ...settings };
}
