import { setTimeout as sleep } from 'node:timers/promises';
import type { Replica } from './replica.js';

/** A request as a client sends it. */
export interface ApiRequest {
  method: 'GET' | 'POST';
  path: string;
  token?: string;
  key?: string;
  body?: object;
}

export interface ApiAnswer {
  status: number;
  data: Record<string, string>;
}

/** The replicas that receive requests, in turns, as behind a load balancer. Counts what fails. */
export class Rotation {
  readonly failures: string[] = [];
  requests = 0;
  readonly #replicas: Replica[] = [];
  readonly #open = new Map<string, number>();

  add(replica: Replica): void {
    this.#replicas.push(replica);
  }

  /** Sends no more requests to the replica, and stops it once its requests are answered. */
  async retire(replica: Replica): Promise<void> {
    this.#replicas.splice(this.#replicas.indexOf(replica), 1);
    while ((this.#open.get(replica.url) ?? 0) > 0) await sleep(5);
    await replica.stop();
  }

  /** Sends a request to the next replica. A status other than the expected one, or no answer, is a failure. */
  async send(request: ApiRequest, expected: number): Promise<ApiAnswer | undefined> {
    const replica = this.#replicas[this.requests++ % this.#replicas.length];
    if (!replica) throw new Error('no replica is in the rotation');
    this.#count(replica, 1);
    try {
      const answer = await sendTo(replica.url, request);
      if (answer.status === expected) return answer;
      this.#fail(replica, request, String(answer.status));
    } catch (error) {
      this.#fail(replica, request, String(error));
    } finally {
      this.#count(replica, -1);
    }
    return undefined;
  }

  #fail({ version }: Replica, { method, path }: ApiRequest, reason: string): void {
    this.failures.push(`${method} ${path} of the ${version} version: ${reason}`);
  }

  #count({ url }: Replica, change: number): void {
    this.#open.set(url, (this.#open.get(url) ?? 0) + change);
  }
}

async function sendTo(url: string, { method, path, token, key, body }: ApiRequest): Promise<ApiAnswer> {
  const headers: Record<string, string> = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(key !== undefined && { 'x-internal-api-key': key }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const parsed = (await response.json()) as { data?: Record<string, string> };
  return { status: response.status, data: parsed.data ?? {} };
}
