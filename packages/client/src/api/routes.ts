import type { components, paths } from '../generated/openapi.js';

/** The objects of the interface by name, as `docs/openapi.json` describes them. */
export type Schemas = components['schemas'];

/** The method of a request. */
export type RequestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that have a route for a method. */
export type RequestPath<M extends RequestMethod> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, { responses: unknown }> ? P : never;
}[keyof paths];

/** The operation behind a method and a path. */
export type OperationOf<M extends RequestMethod, P extends RequestPath<M>> = paths[P][Lowercase<M> &
  keyof paths[P]];

/** The statuses of success. */
type Success = 200 | 201;

type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;

/** Without the envelope; the key set has none. */
type Unwrapped<Body> = Body extends { success: true; data: infer Data } ? Data : Body;

/** The data of an operation's response. */
export type DataOf<O> = O extends { responses: infer R }
  ? { [S in keyof R & Success]: Unwrapped<JsonOf<R[S]>> }[keyof R & Success]
  : never;

/** The error codes that an operation's document lists. */
export type CodeOf<O> = O extends { responses: infer R }
  ? { [S in Exclude<keyof R, Success>]: ErrorCodeIn<JsonOf<R[S]>> }[Exclude<keyof R, Success>]
  : never;

type ErrorCodeIn<Body> = Body extends { error: { code: infer Code } } ? Code : never;

/** `path`, `query` and `header`, required where the operation requires one of their values. */
type ParametersOf<O> = O extends { parameters: infer P }
  ? Pick<P, Extract<keyof P, 'path' | 'query' | 'header'>>
  : object;

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : O extends { requestBody?: infer Given }
    ? [Exclude<Given, undefined>] extends [never]
      ? { body?: never }
      : { body?: JsonOf<Given> }
    : { body?: never };

/** The input of a request: `path`, `query`, `header` and `body` as the route takes them, and a signal to abort it. */
export type RequestInput<M extends RequestMethod, P extends RequestPath<M>> = ParametersOf<
  OperationOf<M, P>
> &
  BodyOf<OperationOf<M, P>> & { signal?: AbortSignal };

/** The input may be omitted where nothing in it is required. */
export type InputArguments<M extends RequestMethod, P extends RequestPath<M>> =
  object extends RequestInput<M, P> ? [input?: RequestInput<M, P>] : [input: RequestInput<M, P>];

/** The data that a route returns, without the envelope. */
export type ResponseData<M extends RequestMethod, P extends RequestPath<M>> = DataOf<OperationOf<M, P>>;
