import { bytesOfBase64url } from '../kernel/base64url.js';
import { TokenFault } from './token-fault.js';

/**
 * Throws unless the signature of a token is in canonical base64url. Decoders ignore padding, the other base64 alphabet and stray
 * bits (RFC 4648 section 3.5), so a token would otherwise be valid in several encodings.
 * @throws TokenFault
 */
export function assertCanonicalSignature(token: string): void {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  if (bytesOfBase64url(signature)) return;
  throw new TokenFault('form', 'its signature is not base64url as it is written');
}
