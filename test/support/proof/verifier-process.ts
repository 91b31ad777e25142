import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { VerifierOptions } from '@latchkey/verifier';

/** The tasks of a process with a verifier for its parent. Times are those of `sharedNow`. */
export interface VerifierCalls {
  /** Verifies the tokens again and again from now on. @returns the code of each, `accepted` for none. */
  hold: (tokens: readonly string[]) => Promise<string[]>;
  codes: (tokens: readonly string[]) => Promise<string[]>;
  /** Verifies a token every few milliseconds until it is refused. */
  untilRefused: (token: string) => Promise<Refusal>;
  until: (state: 'live' | 'stale') => Promise<number>;
  /** Seconds pass on both clocks. */
  pass: (seconds: number) => Promise<void>;
  /** The wall clock is set. */
  sleep: (seconds: number) => Promise<void>;
  /** Number of verifications so far. */
  verified: () => Promise<number>;
}

interface Refusal {
  code: string;
  /** The end of the last verification that accepted the token. */
  acceptedAt: number;
}

export interface VerifierCall {
  id: number;
  name: keyof VerifierCalls;
  argument: unknown;
}

interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}

const PROGRAM = fileURLToPath(new URL('verifier-program.ts', import.meta.url));

type Options = Pick<VerifierOptions, 'issuer' | 'audience' | 'url' | 'credential' | 'whenStale' | 'apiKeys'>;

/** A verifier in a process of its own. */
export class VerifierProcess {
  readonly call: VerifierCalls;
  readonly #child: ChildProcess;
  readonly #replies = new Map<number, (reply: Reply) => void>();
  #calls = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (reply: Reply) => {
      this.#replies.get(reply.id)?.(reply);
      this.#replies.delete(reply.id);
    });
    child.once('exit', () => {
      for (const [id, settle] of this.#replies)
        settle({ id, error: 'The process of the verifier has ended.' });
    });
    const send =
      (name: keyof VerifierCalls) =>
      (argument?: unknown): Promise<unknown> =>
        this.#send(name, argument);
    this.call = new Proxy({} as VerifierCalls, {
      get: (_calls, name) => send(name as keyof VerifierCalls),
    });
  }

  /** Starts a verifier and waits until its feed is live. */
  static async start(options: Options): Promise<VerifierProcess> {
    const child = fork(PROGRAM, {
      execArgv: ['--conditions=latchkey-source', '--import', 'tsx'],
      env: { ...process.env, OPTIONS: JSON.stringify(options) },
    });
    const verifier = new VerifierProcess(child);
    await verifier.#replyTo(0);
    return verifier;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await exited;
  }

  #send(name: keyof VerifierCalls, argument: unknown): Promise<unknown> {
    const id = ++this.#calls;
    const result = this.#replyTo(id);
    this.#child.send({ id, name, argument } satisfies VerifierCall);
    return result;
  }

  #replyTo(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#replies.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
    });
  }
}
