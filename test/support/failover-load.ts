import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Answer } from './api-client.js';
import { INTERNAL_KEY } from './service.js';

const PASSWORD = 'a slow river bend';

interface SeenSession {
  token: string;
  refreshToken: string;
}

/** A load of sign-ins, refreshes and reads, and a journal of every write that was acknowledged. */
export class FailoverLoad {
  /** Answers other than the expected one, as `status code`. */
  readonly failures: string[] = [];
  readonly signedIn: SeenSession[] = [];
  /** The last tokens of each session that is refreshed. */
  readonly refreshed: SeenSession[] = [];
  answers = 0;
  readonly #client: ApiClient;
  readonly #workers: Promise<void>[] = [];
  #isRunning = true;

  private constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Starts the load: one worker signs in, two refresh a session each and read with it. */
  static async start(client: ApiClient): Promise<FailoverLoad> {
    const load = new FailoverLoad(client);
    const body = { email: 'ada@example.com', fullName: 'Ada', password: PASSWORD };
    await client.call('POST', '/internal/admin/users', {
      headers: { 'x-internal-api-key': INTERNAL_KEY },
      body,
    });
    await load.#signIn();
    await load.#signIn();
    const sessions = load.signedIn.splice(0);
    load.refreshed.push(...sessions);
    load.#workers.push(
      load.#repeat(() => load.#signIn()),
      ...sessions.map((session) => load.#repeat(() => load.#refresh(session))),
      ...sessions.map((session) => load.#repeat(() => load.#read(session))),
    );
    return load;
  }

  /** Number of writes that were acknowledged so far. */
  get writes(): number {
    return this.signedIn.length + this.#refreshes;
  }

  #refreshes = 0;

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#workers);
  }

  async #repeat(step: () => Promise<void>): Promise<void> {
    while (this.#isRunning) {
      await step();
      await sleep(10);
    }
  }

  async #signIn(): Promise<void> {
    const body = { email: 'ada@example.com', password: PASSWORD };
    const answer = this.#note(await this.#client.call('POST', '/auth/login', { body }));
    if (answer.status === 200) this.signedIn.push(sessionOf(answer));
  }

  /** A refresh without an acknowledgement is repeated with the same token, as clients do. */
  async #refresh(session: SeenSession): Promise<void> {
    const body = { refreshToken: session.refreshToken };
    const answer = this.#note(await this.#client.call('POST', '/auth/refresh', { body }));
    if (answer.status !== 200) return;
    Object.assign(session, sessionOf(answer));
    this.#refreshes += 1;
  }

  async #read({ token }: SeenSession): Promise<void> {
    this.#note(await this.#client.call('GET', '/auth/me', { token }));
  }

  #note(answer: Answer): Answer {
    this.answers += 1;
    if (answer.status !== 200) this.failures.push(`${answer.status} ${answer.code ?? ''}`);
    return answer;
  }
}

const sessionOf = ({ data }: Answer): SeenSession => ({
  token: data.accessToken,
  refreshToken: data.refreshToken,
});
