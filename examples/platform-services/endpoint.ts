import { z } from 'zod';
import { AuthError } from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';
import type { AuthContext } from '@latchkey/express-adapter';
import type { PlatformData } from './platform-data.js';

/** Input of an endpoint's function. Path, query and body are validated. */
interface EndpointInput<Query, Body> {
  id: string;
  query: Query;
  body: Body;
  /** The caller; their session was read from the database for this request. */
  caller: AuthContext;
  data: PlatformData;
}

interface EndpointBody<Schema extends z.ZodObject = z.ZodObject> {
  schema: Schema;
  /** If false, a request without a body counts as one with an empty object. */
  required: boolean;
}

export interface EndpointDefinition<Query extends z.ZodObject, Body extends z.ZodObject> {
  method: 'get' | 'post' | 'put';
  /** Contains `{id}`, the only path parameter of the endpoints. */
  path: string;
  /** The error statuses that the platform specifies for it. */
  lists: readonly number[];
  query: Query;
  body?: EndpointBody<Body>;
  /** Returns undefined for an unknown id. */
  handle: (input: EndpointInput<z.output<Query>, z.output<Body>>) => unknown;
}

/** The raw request and the data to serve it from. */
interface RawInput {
  id: unknown;
  query: unknown;
  body: unknown;
  caller: AuthContext;
  data: PlatformData;
}

/** An endpoint as the router sees it, without the types of its input. */
export interface Endpoint {
  method: 'get' | 'post' | 'put';
  path: string;
  lists: readonly number[];
  query: z.ZodObject;
  body: EndpointBody | undefined;
  /** @throws AuthError `validation_error`, `not_found`, and what the function throws. */
  serve: (input: RawInput) => Promise<unknown>;
}

const idInput = z.string().min(1).max(100, 'must have at most 100 characters');
/** The query parser returns a list for a repeated key. */
const singleValues = z.record(z.string(), z.string('is given more than once'));
const noBody = z.object({});

/** The query of all endpoints but one. The text is passed to the function and grants no access. */
export const publicQuery = z.object({ public: z.string().max(100).optional() });

export function endpoint<Query extends z.ZodObject, Body extends z.ZodObject = typeof noBody>(
  definition: EndpointDefinition<Query, Body>,
): Endpoint {
  const { method, path, lists, query, body } = definition;
  const bodySchema = (body?.schema ?? noBody) as Body;
  const serve = async (raw: RawInput): Promise<unknown> => {
    const result: unknown = await definition.handle({
      id: checkInput(idInput, raw.id, 'id'),
      query: checkInput(query, checkInput(singleValues, raw.query, 'query'), 'query'),
      body: checkInput(bodySchema, raw.body, 'body'),
      caller: raw.caller,
      data: raw.data,
    });
    if (result === undefined) throw AuthError.notFound('What this id names');
    return result;
  };
  return { method, path, lists, query, body, serve };
}
