import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomUUID, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('provider-server.js', import.meta.url));

/** A key of the provider, private. */
type Key = JsonWebKey & { kid: string };

const newKey = (): Key => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  alg: 'RS256',
  use: 'sig',
});

/** The provider as a process. It keeps everything in memory: what it knows ends with it. */
export class ProviderProcess {
  readonly url: string;
  readonly #port: number;
  readonly #client: object;
  #keys = [newKey()];
  #child: ChildProcess | undefined;

  constructor(port: number, client: object) {
    this.#port = port;
    this.#client = client;
    this.url = `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--no-warnings', SERVER], {
      env: {
        PATH: process.env.PATH,
        PORT: String(this.#port),
        CLIENT: JSON.stringify(this.#client),
        KEYS: JSON.stringify(this.#keys),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    const isListening = once(child.stdout, 'data');
    await Promise.race([
      isListening,
      once(child, 'exit').then(() => {
        throw new Error('The provider has ended.');
      }),
    ]);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null) return;
    const hasEnded = once(child, 'exit');
    child.kill('SIGKILL');
    await hasEnded;
  }

  /** Starts again with another key, and without the one before. */
  async rotate(): Promise<void> {
    await this.stop();
    this.#keys = [newKey()];
    await this.start();
  }
}
