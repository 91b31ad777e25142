import { createHmac, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { digestOf, digestsEqual } from '../kernel/secret.js';

/** Names the kind of secret to people and to secret scanners. */
const PREFIX = 'lkr_';
const SELECTOR_BYTES = 18;
const GENERATION_BYTES = 4;
const SECRET_BYTES = 32;
/** 54 bytes are 72 base64url characters with no spare bits, so each token has exactly one spelling. */
const TOKEN_BYTES = SELECTOR_BYTES + GENERATION_BYTES + SECRET_BYTES;
const TOKEN_PATTERN = /^lkr_[A-Za-z0-9_-]{72}$/;
const DERIVATION_CONTEXT = 'latchkey refresh token v1';

/**
 * A refresh token taken apart. The selector names the session's row (which keeps its digest only), stays the same
 * through all rotations and doubles as the salt of the derivation; the generation counts the rotations.
 */
export interface RefreshToken {
  selector: Buffer;
  generation: number;
  secret: Buffer;
}

/**
 * Writes, reads and derives refresh tokens. A secret is HMAC-SHA-256 over selector and generation, keyed by a pepper
 * that only the servers know. So any replica can give the same successor twice without storing it, and can tell
 * a token that was really issued from a forged one, whatever its age. Losing the pepper loses these two abilities,
 * not the sessions: the current secret is recognised by its stored digest.
 */
export class RefreshTokens {
  readonly #peppers: readonly Buffer[];

  /** @param peppers at least one; the first derives, all are recognised. */
  constructor(peppers: readonly Buffer[]) {
    if (peppers.length === 0) throw new TypeError('refresh tokens need at least one pepper');
    this.#peppers = peppers;
  }

  /** The first token of a new session. */
  first(): RefreshToken {
    const selector = randomBytes(SELECTOR_BYTES);
    return { selector, generation: 0, secret: this.#derive(selector, 0) };
  }

  successorOf(token: RefreshToken): RefreshToken {
    const generation = token.generation + 1;
    return { selector: token.selector, generation, secret: this.#derive(token.selector, generation) };
  }

  /** The successor whose digest the session holds, by whichever pepper it was derived; undefined if none fits. */
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

  /** Whether this service issued the token, now or in the past. */
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

  /** Undefined for text that no refresh token looks like. */
  decode(text: string): RefreshToken | undefined {
    if (!TOKEN_PATTERN.test(text)) return undefined;
    const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
    if (bytes.length !== TOKEN_BYTES) return undefined;
    const generation = bytes.readUInt32BE(SELECTOR_BYTES);
    // The column is a signed integer; no session comes near this.
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

/** A pepper made of a private key (HKDF, RFC 5869), for services that set none of their own. */
export function pepperFromKey(key: KeyObject, purpose: string): Buffer {
  const material = key.export({ type: 'pkcs8', format: 'der' });
  return Buffer.from(hkdfSync('sha256', material, '', `latchkey ${purpose}`, SECRET_BYTES));
}

/** A pepper made of a configured text of high entropy. */
export function pepperFromText(text: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', text, '', `latchkey ${purpose}`, SECRET_BYTES));
}

function deriveSecret(pepper: Buffer, selector: Buffer, generation: number): Buffer {
  const counter = Buffer.alloc(GENERATION_BYTES);
  counter.writeUInt32BE(generation);
  return createHmac('sha256', pepper).update(DERIVATION_CONTEXT).update(selector).update(counter).digest();
}
