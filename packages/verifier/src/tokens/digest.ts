import { base64url } from 'jose';

type Digest = (text: string) => string | Promise<string>;

interface NodeHash {
  hash(algorithm: string, text: string, encoding: string): string;
}

/** The parts of Node that are asked for at run time, so that bundles for other platforms need nothing of Node. */
interface NodeGlobals {
  process?: { getBuiltinModule?: (name: string) => Partial<NodeHash> | undefined };
}

/** Returns the SHA-256 of a text. Node hashes synchronously, which Web Crypto cannot. */
export const digestOf: Digest = nodeDigest() ?? webDigest;

function nodeDigest(): Digest | undefined {
  const crypto = (globalThis as NodeGlobals).process?.getBuiltinModule?.('node:crypto');
  const hash = crypto?.hash;
  return hash && ((text) => hash('sha256', text, 'base64url'));
}

/** Hashes with Web Crypto. */
export async function webDigest(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(bytes));
}
