import {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  mergeHeaders,
  type HeadersOptions,
} from 'openapi-fetch';
import { PUBLIC_PATHS } from '../generated/public-routes.js';
import type { SessionFetch } from '../session/session-fetch.js';
import {
  serviceError,
  transportError,
  type Result,
  type ServiceError,
  type ServiceErrorCode,
  type TransportError,
} from './client-error.js';
import type { CodeOf, DataOf, InputArguments, OperationOf, RequestMethod, RequestPath } from './routes.js';

/** The errors of a route, a union by `code`: those that the service documents, and `TransportError`. */
export type RequestError<M extends RequestMethod, P extends RequestPath<M>> =
  | ServiceError<CodeOf<OperationOf<M, P>> & ServiceErrorCode>
  | TransportError;

/** The outcome of a route: its data, or one of its errors. */
export type RequestResult<M extends RequestMethod, P extends RequestPath<M>> = Result<
  DataOf<OperationOf<M, P>>,
  RequestError<M, P>
>;

/** A function that calls one route of the service. */
export type RequestFunction = <M extends RequestMethod, P extends RequestPath<M>>(
  method: M,
  path: P,
  ...input: InputArguments<M, P>
) => Promise<RequestResult<M, P>>;

interface AnyInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

const querySerializer = createQuerySerializer();

/** Senders of requests: to routes that need no session, and to all others. */
type Senders = Pick<SessionFetch, 'anonymous' | 'signedIn'>;

/** Calls routes by method and path. */
export class Requester {
  readonly #baseUrl: string;
  readonly #fetch: Senders;

  constructor(baseUrl: string, fetch: Senders) {
    this.#baseUrl = baseUrl;
    this.#fetch = fetch;
  }

  /** Returns the data or the error of a route. Never throws. */
  readonly request: RequestFunction = async (method, path, ...[input]) => {
    const outcome = await this.#send(method, path, input ?? {});
    return outcome as RequestResult<typeof method, typeof path>;
  };

  async #send(
    method: string,
    route: string,
    input: AnyInput,
  ): Promise<Result<unknown, ServiceError | TransportError>> {
    const send = isPublic(route) ? this.#fetch.anonymous : this.#fetch.signedIn;
    try {
      const response = await send(this.#requestOf(method, route, input));
      const body = parsed(await response.text());
      // A successful response whose body is no JSON is none of the service.
      return response.ok && body !== NO_JSON
        ? { ok: true, data: unwrapped(body), response }
        : { ok: false, error: serviceError(response, body), response };
    } catch (thrown) {
      return { ok: false, error: transportError(thrown, input.signal), response: undefined };
    }
  }

  #requestOf(
    method: string,
    route: string,
    { path = {}, query = {}, header, body, signal }: AnyInput,
  ): Request {
    const params = { path, query };
    const serializers = { querySerializer, pathSerializer: defaultPathSerializer };
    const url = createFinalURL(route, { baseUrl: this.#baseUrl, params, ...serializers });
    const isJson = body !== undefined;
    return new Request(url, {
      method,
      headers: mergeHeaders(isJson ? { 'content-type': 'application/json' } : {}, header as HeadersOptions),
      ...(isJson && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }
}

const NO_JSON = Symbol('no JSON');

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}

const unwrapped = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'success' in body ? (body as { data?: unknown }).data : body;

const isPublic = (route: string): boolean => PUBLIC_PATHS.some((path) => `${route}/`.startsWith(`${path}/`));
