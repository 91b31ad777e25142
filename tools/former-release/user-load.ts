import type { Rotation } from './rotation.js';

const PASSWORD = 'a slow river bend';

/** One user who signs in, and then refreshes the session and reads with it until the load ends. */
export class UserLoad {
  readonly #rotation: Rotation;
  readonly #email: string;
  #token = '';
  #refreshToken = '';

  constructor(rotation: Rotation, email: string) {
    this.#rotation = rotation;
    this.#email = email;
  }

  /** Creates the user by a machine route, and signs in. */
  async begin(key: string): Promise<void> {
    const body = { email: this.#email, fullName: 'Ada Load', password: PASSWORD };
    await this.#rotation.send({ method: 'POST', path: '/internal/admin/users', key, body }, 201);
    await this.signIn();
  }

  async signIn(): Promise<void> {
    const body = { email: this.#email, password: PASSWORD };
    this.#keep((await this.#rotation.send({ method: 'POST', path: '/auth/login', body }, 200))?.data);
  }

  /** Refreshes the session and reads with the new token. */
  async step(): Promise<void> {
    const body = { refreshToken: this.#refreshToken };
    this.#keep((await this.#rotation.send({ method: 'POST', path: '/auth/refresh', body }, 200))?.data);
    await this.read();
  }

  /** Returns whether the last access token of the client is accepted. */
  async read(): Promise<boolean> {
    const answer = await this.#rotation.send({ method: 'GET', path: '/auth/me', token: this.#token }, 200);
    return answer !== undefined;
  }

  /** Lists the sessions of the user: all values of their rows are read. */
  async listSessions(): Promise<void> {
    await this.#rotation.send({ method: 'GET', path: '/auth/sessions', token: this.#token }, 200);
  }

  #keep(tokens: Record<string, string> | undefined): void {
    this.#token = tokens?.accessToken ?? this.#token;
    this.#refreshToken = tokens?.refreshToken ?? this.#refreshToken;
  }
}
