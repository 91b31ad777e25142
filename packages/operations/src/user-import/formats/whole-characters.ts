import { isUtf8 } from 'node:buffer';

/** U+FFFD, which takes the place of bytes that are not UTF-8. */
export const REPLACEMENT = '\uFFFD';

/** Cuts chunks of bytes between characters, and replaces what is not UTF-8. */
export class WholeCharacters {
  /** The start of a character whose end has not arrived. */
  #rest: Buffer = Buffer.alloc(0);
  #hasReplaced = false;

  /** Reports whether a chunk so far was not UTF-8. */
  get hasReplaced(): boolean {
    return this.#hasReplaced;
  }

  push(chunk: Buffer): Buffer {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const end = bytes.length - openBytes(bytes);
    this.#rest = Buffer.from(bytes.subarray(end));
    return this.#valid(bytes.subarray(0, end));
  }

  end(): Buffer {
    const rest = this.#valid(this.#rest);
    this.#rest = Buffer.alloc(0);
    return rest;
  }

  #valid(bytes: Buffer): Buffer {
    if (isUtf8(bytes)) return bytes;
    this.#hasReplaced = true;
    return Buffer.from(bytes.toString('utf8'));
  }
}

/** Returns the number of bytes at the end that may be the start of a character (RFC 3629 section 3). */
function openBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0;
  }
  return 0;
}

const lengthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2);
