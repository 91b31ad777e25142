import createFetchClient from 'openapi-fetch';
import type { paths } from '../generated/openapi.js';
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

/**
 * The errors of a route, a union by `code`: those that the service documents, and `TransportError`.
 *
 * @example
 * const isTaken = (error: RequestError<'POST', '/auth/register'>): boolean =>
 *   error.code === 'conflict' && error.reason === 'email_taken';
 */
export type RequestError<M extends RequestMethod, P extends RequestPath<M>> =
  | ServiceError<CodeOf<OperationOf<M, P>> & ServiceErrorCode>
  | TransportError;

/**
 * The outcome of a route: its data, or one of its errors.
 *
 * @example
 * const nameOf = (result: RequestResult<'GET', '/auth/me'>): string => result.data?.name ?? 'unknown';
 */
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

type AnyAnswer = Promise<{ data?: unknown; error?: unknown; response: Response }>;
type AnyRequest = (method: string, path: string, init: object) => AnyAnswer;

/** Calls routes by method and path. */
export class Requester {
  readonly #fetch: SessionFetch;
  readonly #call: AnyRequest;

  constructor(baseUrl: string, fetch: SessionFetch) {
    this.#fetch = fetch;
    this.#call = createFetchClient<paths>({ baseUrl }).request as unknown as AnyRequest;
  }

  /** Returns the data or the error of a route. Never throws. */
  readonly request: RequestFunction = async (method, path, ...[input]) => {
    const outcome = await this.#send(method, path, input ?? {});
    return outcome as RequestResult<typeof method, typeof path>;
  };

  async #send(
    method: string,
    route: string,
    { path, query, header, body, signal }: AnyInput,
  ): Promise<Result<unknown, ServiceError | TransportError>> {
    const fetch = isPublic(route) ? this.#fetch.anonymous : this.#fetch.signedIn;
    let seen: Response | undefined;
    try {
      const params = { path, query, header };
      const { data, error, response } = await this.#call(method, route, {
        params,
        body,
        signal,
        fetch: async (request: Request) => (seen = await fetch(request)),
      });
      if (!response.ok) return { ok: false, error: serviceError(response, parsed(error)), response };
      return { ok: true, data: unwrapped(data), response };
    } catch (thrown) {
      // A response whose body is no JSON is none of the service.
      if (thrown instanceof SyntaxError && seen) {
        return { ok: false, error: serviceError(seen, undefined), response: seen };
      }
      return { ok: false, error: transportError(thrown, signal), response: undefined };
    }
  }
}

const unwrapped = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'success' in body ? (body as { data?: unknown }).data : body;

/** The transport returns text for what is no JSON. */
const parsed = (error: unknown): unknown => (typeof error === 'object' ? error : undefined);

const isPublic = (route: string): boolean => PUBLIC_PATHS.some((path) => `${route}/`.startsWith(`${path}/`));
