import { generateSigningKey } from '@latchkey/core/keys';

let key: Promise<string> | undefined;

/** Returns the signing key of all kits in this process: generating one takes a moment, and tests need only one. */
export const kitKey = (): Promise<string> => (key ??= generateSigningKey());
