import { typedCode } from '../factors/typed-code.js';
import { digestOf } from '../kernel/secret.js';

/** Returns the digest of a code as a person types it: in any case, with or without separators, O for 0 and I or L for 1. */
export function digestOfMailedCode(typed: string): Buffer {
  return digestOf(typedCode(typed).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1'));
}
