import { createHmac, sign } from 'node:crypto';
import { testKeys } from './test-keys.js';

/** A JWT taken apart. A field set to undefined is left out when it is signed. */
export interface TokenParts {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

export function takeApart(token: string): TokenParts {
  const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return {
    header: JSON.parse(header ?? '') as TokenParts['header'],
    claims: JSON.parse(claims ?? '') as TokenParts['claims'],
  };
}

/** Header and claims as a JWS signs them (RFC 7515 section 5.1). */
export const signingInput = ({ header, claims }: TokenParts): string => `${encode(header)}.${encode(claims)}`;

/** By default with the very key of the test services: only what the parts say can be wrong with the token. */
export function signRs256(parts: TokenParts, privateKeyPem = testKeys().privateKeyPem): string {
  const input = signingInput(parts);
  return `${input}.${sign('sha256', Buffer.from(input), privateKeyPem).toString('base64url')}`;
}

/**
 * The same with some claims written as given, which `JSON.stringify` never does: `1e400` is read as infinity.
 */
export function signSpelled(
  { header, claims }: TokenParts,
  spelled: Record<string, string>,
  privateKeyPem = testKeys().privateKeyPem,
): string {
  const others = Object.entries(claims).filter(([name]) => !(name in spelled));
  const members = [
    ...others.map(([name, value]) => [name, JSON.stringify(value)]),
    ...Object.entries(spelled),
  ];
  const payload = `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
  const input = `${encode(header)}.${Buffer.from(payload).toString('base64url')}`;
  return `${input}.${sign('sha256', Buffer.from(input), privateKeyPem).toString('base64url')}`;
}

export function signHs256(parts: TokenParts, secret: string | Buffer): string {
  const input = signingInput(parts);
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
