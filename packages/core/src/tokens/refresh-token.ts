import { createHmac, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { bytesOfBase64url } from '../kernel/base64url.js';
import { digestOf, digestsEqual } from '../kernel/secret.js';

/** Identifies the kind of secret to users and secret scanners. */
const PREFIX = 'lkr_';
const SELECTOR_BYTES = 18;
const GENERATION_BYTES = 4;
const SECRET_BYTES = 32;
/** 54 bytes are exactly 72 base64url characters without spare bits, so each token has only one encoding. */
const TOKEN_BYTES = SELECTOR_BYTES + GENERATION_BYTES + SECRET_BYTES;
const TOKEN_PATTERN = /^lkr_[A-Za-z0-9_-]{72}$/;
const DERIVATION_CONTEXT = 'latchkey refresh token v1';

/**
 * The components of a refresh token. The selector identifies the session's row, which stores only its digest. It stays the
 * same in all rotations and is also the salt of the derivation. The generation counts the rotations.
 */
export interface RefreshToken {
  selector: Buffer;
  generation: number;
  secret: Buffer;
}

/**
 * Encodes, decodes and derives refresh tokens. A secret is an HMAC-SHA-256 of selector and generation, keyed by a pepper
 * that only the servers know. So every replica can return the same successor again without storing it, and can distinguish
 * an issued token from a forged one at any age. If the pepper is lost, so are these two abilities, but not the sessions:
 * the current secret is recognized by its stored digest.
 */
export class RefreshTokens {
  readonly #peppers: readonly Buffer[];

  /** @param peppers at least one. The first derives new tokens; tokens of all are recognized. */
  constructor(peppers: readonly Buffer[]) {
    if (peppers.length === 0) throw new TypeError('refresh tokens need at least one pepper');
    this.#peppers = peppers;
  }

  /** Returns the first token of a new session. */
  first(): RefreshToken {
    const selector = randomBytes(SELECTOR_BYTES);
    return { selector, generation: 0, secret: this.#derive(selector, 0) };
  }

  /** Returns the next token of the session, derived with the first pepper. */
  successorOf(token: RefreshToken): RefreshToken {
    const generation = token.generation + 1;
    return { selector: token.selector, generation, secret: this.#derive(token.selector, generation) };
  }

  /** Returns the successor with this digest, derived with any pepper, or undefined if there is none. */
  successorWithDigest(token: RefreshToken, secretDigest: Buffer): RefreshToken | undefined {
    const generation = token.generation + 1;
    return this.#peppers
      .map((pepper) => ({
        selector: token.selector,
        generation,
        secret: deriveSecret(pepper, token.selector, generation),
      }))
      .find((candidate) => digestsEqual(digestOf(candidate.secret), secretDigest));
  }

  /** Returns whether this service issued the token, at any time. */
  isGenuine(token: RefreshToken): boolean {
    return this.#peppers.some((pepper) =>
      digestsEqual(token.secret, deriveSecret(pepper, token.selector, token.generation)),
    );
  }

  encode(token: RefreshToken): string {
    const generation = Buffer.alloc(GENERATION_BYTES);
    generation.writeUInt32BE(token.generation);
    return PREFIX + Buffer.concat([token.selector, generation, token.secret]).toString('base64url');
  }

  /** Returns undefined for text that is not in the format of a refresh token. */
  decode(text: string): RefreshToken | undefined {
    if (!TOKEN_PATTERN.test(text)) return undefined;
    const bytes = bytesOfBase64url(text.slice(PREFIX.length));
    if (bytes?.length !== TOKEN_BYTES) return undefined;
    const generation = bytes.readUInt32BE(SELECTOR_BYTES);
    // The column is a signed integer. No session reaches this generation.
    if (generation >= 0x7fffffff) return undefined;
    return {
      selector: bytes.subarray(0, SELECTOR_BYTES),
      generation,
      secret: bytes.subarray(SELECTOR_BYTES + GENERATION_BYTES),
    };
  }

  #derive(selector: Buffer, generation: number): Buffer {
    return deriveSecret(this.#peppers[0] ?? Buffer.alloc(0), selector, generation);
  }
}

/** Derives a pepper from a private key (HKDF, RFC 5869), for services without a configured pepper. */
export function pepperFromKey(key: KeyObject, purpose: string): Buffer {
  const material = key.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', material, '', `latchkey ${purpose}`, SECRET_BYTES));
}

/** Derives a pepper from a configured text of high entropy. */
export function pepperFromText(text: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', text, '', `latchkey ${purpose}`, SECRET_BYTES));
}

function deriveSecret(pepper: Buffer, selector: Buffer, generation: number): Buffer {
  const counter = Buffer.alloc(GENERATION_BYTES);
  counter.writeUInt32BE(generation);
  return createHmac('sha256', pepper).update(DERIVATION_CONTEXT).update(selector).update(counter).digest();
}
