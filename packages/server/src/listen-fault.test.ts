import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from './http-server.js';
import { listenFault } from './listen-fault.js';

function newServer(): Server {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

describe('an address to listen on', () => {
  it('a port in use is reported as a fault of PORT', async () => {
    const first = newServer();
    await listen(first, { host: '127.0.0.1', port: 0 });
    const { port } = first.address() as AddressInfo;
    await expect(listen(newServer(), { host: '127.0.0.1', port })).rejects.toMatchObject({
      name: 'SettingsError',
      faults: [{ name: 'PORT', found: `${port}, which another program uses` }],
    });
  });

  it.each(['x86_64-conda-linux-gnu.invalid', '192.0.2.1'])(
    'the host %s is reported as a fault of HOST',
    async (host) => {
      await expect(listen(newServer(), { host, port: 0, prefix: 'METRICS_' })).rejects.toThrow(
        new RegExp(`METRICS_HOST\\s+found\\s+${host}, which is no address`),
      );
    },
  );

  it('a port without right is reported as a fault of PORT, with what to do', () => {
    const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
    expect(listenFault(error, { host: '0.0.0.0', port: 80 }).message).toContain('set a port above 1023');
  });
});
