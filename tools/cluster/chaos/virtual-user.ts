import { setTimeout as sleep } from 'node:timers/promises';
import type { Administrator } from './administrator.js';
import type { Api, ApiAnswer, ApiRequest } from './api.js';
import { isAcknowledged, type Attempt, type Journal, type Operation, type Revocation } from './journal.js';
import type { Random } from './random.js';

const PASSWORD = 'seven quiet harbours';
const RETRY_MS = 400;
/** A client gives up a sign-out that is never acknowledged, and goes on with its session. */
const TRIES = 5;

interface OpenSession {
  /** Of the account, which may be a former one of the client. */
  email: string;
  sessionId: string;
  userId: string;
  accessToken: string;
  refreshToken: string;
}

export interface VirtualUserOptions {
  name: string;
  api: Api;
  administrator: Administrator;
  journal: Journal;
  random: Random;
  /** Milliseconds since the start of the run. */
  now: () => number;
}

/** A client that uses an account as people do, keeps tokens on 503, and writes everything into the journal. */
export class VirtualUser {
  readonly #options: VirtualUserOptions;
  readonly #former: OpenSession[] = [];
  #accounts = 0;
  #isRegistered = false;
  #session: OpenSession | undefined;

  constructor(options: VirtualUserOptions) {
    this.#options = options;
  }

  /** Uses the account until the run is over. */
  async run(isOver: () => boolean): Promise<void> {
    const { random } = this.#options;
    while (!isOver()) {
      const session = await this.#signIn(isOver);
      if (session) await this.#step(session);
      await sleep(random.between(50, 300));
    }
  }

  /** Signs in if need be, and uses the session and each former one once more. Returns whether the user is signed in. */
  async settle(isOver: () => boolean): Promise<boolean> {
    for (const former of this.#former) await this.#read(former);
    while (!isOver()) {
      const session = await this.#signIn(isOver);
      if (session && (await this.#refresh(session)) && (await this.#read(session))) return true;
      await sleep(RETRY_MS);
    }
    return false;
  }

  get #hasSession(): boolean {
    return this.#session !== undefined;
  }

  get #email(): string {
    return `${this.#options.name}-${this.#accounts}@example.com`;
  }

  async #step(session: OpenSession): Promise<void> {
    const { random } = this.#options;
    const chance = random.next();
    if (chance < 0.4) await this.#read(session);
    else if (chance < 0.62) await this.#refresh(session);
    else if (chance < 0.7) await Promise.all([this.#refresh(session), this.#refresh(session)]);
    else if (chance < 0.82) await this.#tryFormer();
    else if (chance < 0.88) await this.#end(session, 'sign-out');
    else if (chance < 0.91) await this.#end(session, 'sign-out-all');
    else if (chance < 0.95) await this.#end(session, 'revoke');
    else if (chance < 0.98) await this.#end(session, 'revoke-all');
    else await this.#end(session, 'deactivate');
  }

  /** Returns the session, after a registration and a sign-in where there is none. */
  async #signIn(isOver: () => boolean): Promise<OpenSession | undefined> {
    while (!isOver()) {
      if (this.#session) return this.#session;
      if (!this.#isRegistered) await this.#register();
      if (this.#isRegistered) await this.#openSession();
      if (!this.#hasSession) await sleep(RETRY_MS);
    }
    return this.#session;
  }

  async #register(): Promise<void> {
    const body = { email: this.#email, password: PASSWORD, fullName: 'Virtual User' };
    const request = { method: 'POST', path: '/auth/register', body } as const;
    const { status } = await this.#send('register', request);
    this.#isRegistered = status === 201 || status === 409;
  }

  async #openSession(): Promise<void> {
    const body = { email: this.#email, password: PASSWORD };
    const { data, status } = await this.#send('sign-in', { method: 'POST', path: '/auth/login', body });
    if (status === 401) this.#isRegistered = false;
    if (status === 403) this.#nextAccount();
    if (data.accessToken === undefined || data.refreshToken === undefined) return;
    const { sid, sub } = claimsOf(data.accessToken);
    const { accessToken, refreshToken } = data;
    this.#session = { email: this.#email, sessionId: sid, userId: sub, accessToken, refreshToken };
  }

  async #read(session: OpenSession): Promise<boolean> {
    const request = { method: 'GET', path: '/auth/me', token: session.accessToken } as const;
    const answer = await this.#send('me', request, session);
    this.#leaveIfRefused(session, answer);
    return isAcknowledged(answer);
  }

  async #refresh(session: OpenSession): Promise<boolean> {
    const body = { refreshToken: session.refreshToken };
    const answer = await this.#send('refresh', { method: 'POST', path: '/auth/refresh', body }, session);
    const { accessToken, refreshToken } = answer.data;
    if (accessToken !== undefined && refreshToken !== undefined) {
      Object.assign(session, { accessToken, refreshToken });
    }
    this.#leaveIfRefused(session, answer);
    return isAcknowledged(answer);
  }

  /** Does what a thief would: presents tokens of a session that has ended. */
  async #tryFormer(): Promise<void> {
    const { random } = this.#options;
    if (this.#former.length === 0) return;
    const former = random.isOneIn(2) ? this.#former.at(-1)! : random.pick(this.#former);
    await (random.isOneIn(3) ? this.#refresh(former) : this.#read(former));
  }

  /** Ends the session in one of the ways, and presents its tokens at once. */
  async #end(session: OpenSession, operation: Revocation): Promise<void> {
    for (let tries = 1; tries <= TRIES && this.#session === session; tries++) {
      const answer = await this.#sendEnd(session, operation);
      if (isAcknowledged(answer)) {
        this.#leave(session);
        if (operation === 'deactivate') this.#nextAccount();
        await this.#read(session);
        return;
      }
      this.#leaveIfRefused(session, answer);
      await sleep(RETRY_MS);
    }
  }

  #sendEnd(session: OpenSession, operation: Revocation): Promise<ApiAnswer> {
    const { sessionId, userId, accessToken, refreshToken } = session;
    const post = (path: string) => ({ method: 'POST', path }) as const;
    switch (operation) {
      case 'sign-out':
        return this.#send(operation, { ...post('/auth/logout'), body: { refreshToken } }, session);
      case 'sign-out-all':
        return this.#send(operation, { ...post('/auth/logout-all'), token: accessToken }, session);
      case 'revoke':
        return this.#administer(operation, post(`/internal/sessions/${sessionId}/revoke`), session);
      case 'revoke-all':
        return this.#administer(operation, post(`/internal/users/${userId}/revoke-all`), session);
      case 'deactivate':
        return this.#administer(operation, { method: 'DELETE', path: `/internal/users/${userId}` }, session);
    }
  }

  #leaveIfRefused(session: OpenSession, { status }: ApiAnswer): void {
    if (status === 401 || status === 403) this.#leave(session);
  }

  #leave(session: OpenSession): void {
    if (this.#session !== session) return;
    this.#former.push(session);
    this.#session = undefined;
  }

  #nextAccount(): void {
    this.#accounts += 1;
    this.#isRegistered = false;
    this.#session = undefined;
  }

  async #administer(operation: Operation, request: ApiRequest, session: OpenSession): Promise<ApiAnswer> {
    return this.#record(operation, () => this.#options.administrator.send(request), session);
  }

  async #send(operation: Operation, request: ApiRequest, session?: OpenSession): Promise<ApiAnswer> {
    return this.#record(operation, () => this.#options.api.send(request), session);
  }

  async #record(
    operation: Operation,
    send: () => Promise<ApiAnswer>,
    session: OpenSession | undefined,
  ): Promise<ApiAnswer> {
    const { now, journal } = this.#options;
    const opened = operation === 'sign-in' || operation === 'register';
    const attempt: Attempt = {
      operation,
      email: session?.email ?? this.#email,
      userId: session?.userId,
      sessionId: session?.sessionId,
      token: operation === 'refresh' ? session?.refreshToken : undefined,
      sentAt: now(),
      answeredAt: Infinity,
      status: 0,
    };
    const answer = await send();
    const { status, code, reason, data } = answer;
    Object.assign(attempt, { answeredAt: now(), status, code, reason });
    if (operation === 'refresh') attempt.successor = data.refreshToken;
    if (opened && data.accessToken !== undefined) {
      const { sid, sub } = claimsOf(data.accessToken);
      Object.assign(attempt, { sessionId: sid, userId: sub });
    }
    journal.add(attempt);
    return answer;
  }
}

function claimsOf(accessToken: string): { sid: string; sub: string } {
  const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(payload) as { sid: string; sub: string };
}
