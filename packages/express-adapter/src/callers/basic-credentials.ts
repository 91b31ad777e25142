import { AuthError } from '@latchkey/core';

/**
 * Client id and secret from HTTP Basic (RFC 7617), form-encoded inside as RFC 6749 section 2.3.1 wants it; undefined
 * when the header is missing or of another scheme.
 * @throws AuthError `validation_error` when the header cannot be read.
 */
export function basicCredentials(
  authorization: string | undefined,
): { clientId: string; clientSecret: string } | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  try {
    return { clientId: decodePart(id ?? ''), clientSecret: decodePart(secret.join(':')) };
  } catch {
    throw AuthError.validation('Authorization: the Basic credentials are malformed');
  }
}

const decodePart = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
