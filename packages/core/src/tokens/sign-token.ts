import { sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { TokenKeys } from './key-set.js';

/** Runs on a thread of its own, so that other requests do not wait for the signature. */
const signOnThread = promisify<string, Buffer, KeyObject, Buffer>(sign);

/**
 * Signs claims as a JWT in the compact form (RFC 7515 section 7.1) with RS256 (RFC 7518 section 3.3).
 * @param type the media type of the token, in its header (RFC 7515 section 4.1.9).
 * @param claims values of JSON; the caller sets every claim, including the times.
 * @throws TypeError if the keys hold no private RSA key.
 */
export async function signToken(type: string, claims: object, keys: TokenKeys): Promise<string> {
  const header = { alg: 'RS256', typ: type, kid: keys.signingKeyId };
  const content = `${encode(header)}.${encode(claims)}`;
  const signature = await signOnThread('RSA-SHA256', Buffer.from(content), keys.signingKey);
  return `${content}.${signature.toString('base64url')}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
