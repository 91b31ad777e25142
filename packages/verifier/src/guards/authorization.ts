import type { IncomingMessage } from 'node:http';
import { VerificationError } from '../verification-error.js';

/**
 * Returns the `Authorization` header. Node silently keeps only the first of repeated ones, while a proxy in front may
 * have checked another one, so none of them is accepted.
 * @throws VerificationError `validation_error` for repeated headers.
 */
export function authorizationOf(request: IncomingMessage): string | undefined {
  const { rawHeaders } = request;
  let value: string | undefined;
  // Names and values alternate. `headersDistinct` would copy every header for each request.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isAuthorization(rawHeaders[index])) continue;
    if (value !== undefined) {
      throw new VerificationError('validation_error', 'header: authorization is given more than once');
    }
    value = rawHeaders[index + 1];
  }
  return value;
}

const NAME = 'authorization';

const isAuthorization = (name: string | undefined): boolean =>
  name?.length === NAME.length && name.toLowerCase() === NAME;
