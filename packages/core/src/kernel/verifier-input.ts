import { z } from 'zod';

/** A verifier that the client has made and kept (RFC 7636, section 4.1). */
export const verifierInput = z
  .string()
  .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must be 43 to 128 letters, digits and - . _ ~');

/** S256 of a verifier that the client keeps (RFC 7636, section 4.2). */
export const challengeInput = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the SHA-256 of the verifier, in base64url');
