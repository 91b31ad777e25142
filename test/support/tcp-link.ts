import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Both ends of a connection. */
type Ends = readonly [near: Socket, far: Socket];

/** A way to a server that can be cut or paused, and fixed, for one client among several. */
export class TcpLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #sent: Buffer[] = [];
  readonly #connections = new Set<Ends>();
  #isCut = false;
  #isPaused = false;
  #refused = 0;

  #target: { host: string; port: number };

  private constructor(url: string) {
    this.#target = targetOf(url);
    this.#server = createServer((near) => {
      if (this.#isCut) {
        this.#refused += 1;
        near.destroy();
        return;
      }
      const far = connect(this.#target);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy()).on('close', () => this.#sockets.delete(socket));
        socket.pipe(other);
      }
      near.on('data', (bytes: Buffer) => void this.#sent.push(bytes));
      const ends: Ends = [near, far];
      this.#connections.add(ends);
      near.on('close', () => this.#connections.delete(ends));
      if (this.#isPaused) pauseBoth(ends);
    });
  }

  /** A link to the server that a URL names. */
  static async to(url: string): Promise<TcpLink> {
    const link = new TcpLink(url);
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

  /** New connections lead to another server, as those of a load balancer. */
  leadTo(url: string): void {
    this.#target = targetOf(url);
  }

  /** The bytes that all connections have sent to the server so far. */
  get sent(): string {
    return Buffer.concat(this.#sent).toString('latin1');
  }

  /** Connections that did not hold because the link was cut. */
  get refused(): number {
    return this.#refused;
  }

  /** Every connection breaks, and no new one holds. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Connections stay open, and no byte passes. */
  pause(): void {
    this.#isPaused = true;
    for (const ends of this.#connections) pauseBoth(ends);
  }

  /** New connections hold, and bytes pass again, those that have waited first. */
  fix(): void {
    this.#isCut = false;
    this.#isPaused = false;
    for (const [near, far] of this.#connections) {
      near.pipe(far);
      far.pipe(near);
    }
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function pauseBoth(ends: Ends): void {
  for (const socket of ends) socket.unpipe().pause();
}

function targetOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
