import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut and fixed, for one client among several. */
export class TcpLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #sent: Buffer[] = [];
  #isCut = false;

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(target);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy()).on('close', () => this.#sockets.delete(socket));
        socket.pipe(other);
      }
      near.on('data', (bytes: Buffer) => void this.#sent.push(bytes));
    });
  }

  /** A link to the server that a URL names. */
  static async to(url: string): Promise<TcpLink> {
    const { hostname, port } = new URL(url);
    const link = new TcpLink({ host: hostname, port: Number(port) });
    await new Promise<void>((resolve) => link.#server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  /** The same URL by way of the link. */
  by(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String((this.#server.address() as AddressInfo).port);
    return changed.href;
  }

  /** The bytes that all connections have sent to the server so far. */
  get sent(): string {
    return Buffer.concat(this.#sent).toString('latin1');
  }

  /** Every connection breaks, and no new one holds. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  fix(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
