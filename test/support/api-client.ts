import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { assertResponse } from './assert-response.js';

export interface ApiOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, with `application/json` as its type unless `headers` say otherwise. */
  raw?: string | Buffer;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
  /** An array sends a header several times. */
  headers?: OutgoingHttpHeaders;
}

/** Payloads as tests read them: the fields that are passed on have a type, all others are for `expect`. */
export interface AnswerData {
  [field: string]: unknown;
  id: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body as it came. */
  text: string;
  /** The body, parsed; undefined when it is no JSON. */
  body: unknown;
  /** `data` of the envelope; empty in an error. */
  data: AnswerData;
  /** `data` of a list; empty in all other answers. */
  items: AnswerData[];
  /** `error.code`. */
  code: string | undefined;
  /** `error.message`. */
  message: string | undefined;
  /** Until the response began: a long list ends when its client has read it. */
  milliseconds: number;
}

interface Envelope {
  data?: AnswerData | AnswerData[];
  error?: { code: string; message: string };
}

/** Secrets that must never be found in a log. Short texts would be found by accident. */
const SECRET_FIELDS = new Set([
  'password',
  'currentPassword',
  'newPassword',
  'accessToken',
  'refreshToken',
  'recoveryCode',
  'secret',
  'challenge',
  'key',
  'apiKey',
]);
const SHORTEST_SECRET = 12;
/** The key of a role, which is no secret. */
const ROLE_KEY = /^[A-Z]+(?:_[A-Z0-9]+)+$/;

/** Reports whether the values of a field are secrets that must never be found in a log. */
export const isSecretField = (field: string): boolean => SECRET_FIELDS.has(field);

/** Talks to a service over HTTP with nothing in between that would fix a malformed request. */
export class ApiClient {
  /** Every password that was sent and every token that came back. */
  readonly secrets = new Set<string>();
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request and holds the answer to what is true of every answer of the service. */
  async call(method: string, path: string, options: ApiOptions = {}): Promise<Answer> {
    const answer = await this.send(method, path, options);
    assertResponse(answer, `${method} ${path}`);
    return answer;
  }

  /** The same without that check: for what Node itself answers, and for a service that is being stopped. */
  async send(method: string, path: string, options: ApiOptions = {}): Promise<Answer> {
    this.#noteSecrets(options.body);
    const answer = await this.#exchange(method, path, options);
    this.#noteSecrets(answer.data);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(method: string, path: string, options: ApiOptions): Promise<Answer> {
    const body = bodyOf(options);
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        this.#url + path,
        { method, agent: this.#agent, headers: headersOf(options, body) },
        (incoming) => {
          const milliseconds = performance.now() - start;
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const { statusCode: status = 0, headers } = incoming;
            resolve({ status, headers, text, ...read(text), milliseconds });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  #noteSecrets(payload: unknown): void {
    if (typeof payload !== 'object' || payload === null) return;
    for (const [field, value] of Object.entries(payload)) {
      if (typeof value !== 'string' || value.length < SHORTEST_SECRET || ROLE_KEY.test(value)) continue;
      if (isSecretField(field)) this.secrets.add(value);
    }
  }
}

/** Bytes, because Node writes headers in the encoding of a body that is text. */
function bodyOf({ body, raw }: ApiOptions): Buffer | undefined {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return typeof text === 'string' ? Buffer.from(text) : text;
}

function headersOf({ token, headers }: ApiOptions, body: Buffer | undefined): OutgoingHttpHeaders {
  return {
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': body.length,
    }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
}

function read(text: string): Pick<Answer, 'body' | 'data' | 'items' | 'code' | 'message'> {
  const body = parsed(text);
  const { data, error } = (typeof body === 'object' && body !== null ? body : {}) as Envelope;
  return {
    body,
    data: data === undefined || Array.isArray(data) ? ({} as AnswerData) : data,
    items: Array.isArray(data) ? data : [],
    code: error?.code,
    message: error?.message,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
