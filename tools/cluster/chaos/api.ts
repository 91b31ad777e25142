import { Agent, request } from 'node:http';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  token?: string | undefined;
  key?: string;
  body?: object;
}

export interface ApiAnswer {
  /** 0 without a response. */
  status: number;
  data: Record<string, string>;
  code?: string | undefined;
  reason?: string | undefined;
}

const TIMEOUT_MS = 10_000;
const NO_ANSWER: ApiAnswer = { status: 0, data: {} };

/** Sends requests as a client that keeps its connections. A request is never repeated. */
export class Api {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = url;
  }

  send({ method, path, token, key, body }: ApiRequest, timeoutMs = TIMEOUT_MS): Promise<ApiAnswer> {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'x-internal-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    return new Promise((resolve) => {
      const sent = request(this.#url + path, { method, headers, agent: this.#agent, signal }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', () => resolve(NO_ANSWER));
        response.on('end', () =>
          resolve(readAnswer(response.statusCode ?? 0, Buffer.concat(chunks).toString())),
        );
      });
      sent.on('error', () => resolve(NO_ANSWER));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

interface Envelope {
  data?: Record<string, string>;
  error?: { code?: string; reason?: string };
}

/** Proxies answer in HTML. */
function readAnswer(status: number, text: string): ApiAnswer {
  try {
    const { data = {}, error } = JSON.parse(text) as Envelope;
    return { status, data, code: error?.code, reason: error?.reason };
  } catch {
    return { status, data: {} };
  }
}
