import type { ErrorCode } from '@latchkey/core';
import { PROBLEM, problemDetails } from '../routing/problem-details.js';
import type { Failures } from './failure-codes.js';
import type { JsonSchema } from './json-schema.js';
import type { SchemaCollection } from './schema-collection.js';

const RESPONSES = '#/components/responses/';

const MEANING: Record<number, string> = {
  400: 'The request is malformed, or a value is invalid.',
  401: 'The credentials are missing, wrong or expired, or the session has ended.',
  403: 'The request is not allowed.',
  404: 'The resource does not exist, or the caller may not see it.',
  409: 'The request conflicts with the current state.',
  410: 'What the request refers to is no longer available.',
  413: 'The body is larger than 100 KiB.',
  429: 'Too many attempts.',
  500: 'An internal error of the service.',
  501: 'The service does not support this.',
  503: 'The service or something it depends on is unavailable. Try again.',
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
};
const CHALLENGE = {
  'WWW-Authenticate': {
    description:
      'Where an access token is required: `Bearer` (RFC 6750), with `max_age` if the sign-in is too old, and `acr_values` if it lacks a second factor (RFC 9470).',
    schema: { type: 'string' },
  },
};
const HEADERS: Record<number, object> = { 401: CHALLENGE, 429: RETRY_AFTER, 503: RETRY_AFTER };

export const REQUEST_ID = {
  'X-Request-Id': { description: 'Id of the request, as in the logs.', schema: { type: 'string' } },
};

/** Collects error responses: operations with the same codes share one. */
export class FailureResponses {
  readonly #responses = new Map<string, JsonSchema>();
  readonly #problem: JsonSchema;

  constructor(schemas: SchemaCollection) {
    this.#problem = schemas.output(problemDetails);
  }

  /** Returns references to the error responses of an operation, by status. The description of 429 names the `limit`. */
  of(failures: Failures, limit: string | undefined): JsonSchema {
    return Object.fromEntries(
      [...failures].map(([status, codes]) => {
        const reference = this.#add(status, codes);
        const isLimit = status === 429 && limit !== undefined;
        return [
          status,
          isLimit ? { ...reference, description: `Too many attempts: at most ${limit}.` } : reference,
        ];
      }),
    );
  }

  /** All responses so far, by name. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#responses].sort(([a], [b]) => a.localeCompare(b)));
  }

  #add(status: number, codes: readonly ErrorCode[]): JsonSchema {
    const name = status === 413 ? 'ContentTooLarge' : codes.map(inPascalCase).join('Or');
    this.#responses.set(name, this.#response(status, codes));
    return { $ref: RESPONSES + name };
  }

  #response(status: number, codes: readonly ErrorCode[]): JsonSchema {
    const listed = codes.map((code) => `\`${code}\``).join(', ');
    return {
      description: `${MEANING[status] ?? 'An error.'} Codes: ${listed}.`,
      headers: { ...REQUEST_ID, ...HEADERS[status] },
      content: {
        'application/json': { schema: withCodes(codes) },
        [PROBLEM]: { schema: this.#problem },
      },
    };
  }
}

/** Returns the envelope with these codes: `allOf` keeps one named type for all errors. */
const withCodes = (codes: readonly ErrorCode[]): JsonSchema => ({
  allOf: [
    { $ref: '#/components/schemas/Error' },
    { properties: { error: { properties: { code: { type: 'string', enum: [...codes] } } } } },
  ],
});

const inPascalCase = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
