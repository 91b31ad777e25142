import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** `cut` resets and refuses connections. `silent` keeps them open and holds every byte, as a lost network does. */
export type Partition = 'cut' | 'silent';

type Ends = readonly [near: Socket, far: Socket];

/** A way between two parts of the cluster that can be partitioned, and healed. */
export class Relay {
  readonly port: number;
  readonly #server: Server;
  readonly #connections = new Set<Ends>();
  #partition: Partition | undefined;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.#accept(near, targetPort));
  }

  static async to(targetPort: number): Promise<Relay> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new Relay(server, targetPort);
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  partition(kind: Partition): void {
    this.#partition = kind;
    for (const ends of this.#connections) {
      if (kind === 'cut') for (const end of ends) end.resetAndDestroy();
      else hold(ends);
    }
  }

  /** Lets bytes pass again, those that were held first. */
  heal(): void {
    this.#partition = undefined;
    for (const ends of this.#connections) pass(ends);
  }

  close(): void {
    this.partition('cut');
    this.#server.close();
  }

  #accept(near: Socket, targetPort: number): void {
    near.on('error', () => near.destroy());
    if (this.#partition === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(targetPort, '127.0.0.1');
    const ends: Ends = [near, far];
    this.#connections.add(ends);
    for (const [end, other] of [ends, [far, near] as const]) {
      end.setNoDelay(true);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        other.destroySoon();
        this.#connections.delete(ends);
      });
    }
    if (this.#partition === 'silent') hold(ends);
    else pass(ends);
  }
}

function hold([near, far]: Ends): void {
  near.unpipe(far).pause();
  far.unpipe(near).pause();
}

function pass([near, far]: Ends): void {
  near.pipe(far);
  far.pipe(near);
}
