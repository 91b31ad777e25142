import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { company, type Company } from './company.js';
import { commit, fault, type Fault } from './fault.js';

export interface CoreServiceOptions {
  /** Defaults to any free port. */
  port?: number;
  /** Requests without it get 403. */
  apiKey: string;
  /** Companies by UUID; none by default. */
  companies?: Record<string, Company>;
}

const ENTITLEMENTS = /^\/internal\/companies\/([0-9a-f-]{36})\/entitlements$/;

/** A stub of the service that provides the companies' entitlements. Changes are kept in memory only. */
export class CoreService {
  /** The number of requests for entitlements. */
  calls = 0;
  /** The simulated failure of the next requests; undefined for none. */
  fault: Fault | undefined;
  readonly #companies: Map<string, Company>;
  readonly #apiKey: string;
  readonly #server: Server;

  private constructor({ apiKey, companies = {} }: CoreServiceOptions) {
    this.#apiKey = apiKey;
    this.#companies = new Map(Object.entries(companies));
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: CoreServiceOptions): Promise<CoreService> {
    const service = new CoreService(options);
    await new Promise<void>((resolve, reject) => {
      service.#server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  set(companyId: string, entitlements: Company): void {
    this.#companies.set(companyId, entitlements);
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '';
    const companyId = ENTITLEMENTS.exec(path)?.[1];
    if (request.headers['x-internal-api-key'] !== this.#apiKey) refuse(response, 403);
    else if (companyId !== undefined && request.method === 'GET') this.#respond(companyId, response);
    else await this.#change(`${request.method ?? ''} ${path}`, companyId, request, response);
  }

  async #change(
    action: string,
    companyId: string | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      if (companyId !== undefined && request.method === 'PUT') {
        this.set(companyId, company.parse(JSON.parse(await text(request))));
      } else if (action === 'PUT /fault') this.fault = fault.parse(JSON.parse(await text(request)));
      else if (action === 'DELETE /fault') this.fault = undefined;
      else throw new Error(`Unknown request: ${action}`);
      answer(response, 'done');
    } catch (error) {
      refuse(response, 400, String(error));
    }
  }

  #respond(companyId: string, response: ServerResponse): void {
    this.calls++;
    const respondNormally = () => {
      const known = this.#companies.get(companyId);
      if (known) answer(response, known);
      else refuse(response, 404);
    };
    const wanted = this.fault;
    if (wanted?.kind === 'reset')
      this.fault = wanted.times > 1 ? { ...wanted, times: wanted.times - 1 } : undefined;
    if (wanted) commit(wanted, response, respondNormally);
    else respondNormally();
  }
}

function answer(response: ServerResponse, data: unknown): void {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ success: true, data }));
}

function refuse(response: ServerResponse, status: number, message = `Answered ${status}.`): void {
  const error = { code: String(status), message };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ success: false, error }));
}
