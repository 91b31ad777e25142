// Keys and tokens, for those who look after them. Apart from the rest, since most programs do without the library
// behind it.
export { inspectKeys } from './tokens/key-inspection.js';
export { KEY_SET_MAX_AGE, KeySet, toJwks } from './tokens/key-set.js';
export { PublishedKeys } from './tokens/published-keys.js';
export { publicPemOf, readRsaKey, readRsaKeys } from './tokens/signing-key.js';
export { TokenFault } from './tokens/token-fault.js';
export { decodeToken, judgeToken } from './tokens/token-inspection.js';

export { KeyRotation } from './key-rotation/key-rotation.js';
