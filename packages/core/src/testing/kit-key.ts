import { generateSigningKey } from '../tokens/generate-signing-key.js';

let key: Promise<string> | undefined;

/** The signing key of all kits in this process: making one takes a moment, and tests do not need several. */
export const kitKey = (): Promise<string> => (key ??= generateSigningKey());
