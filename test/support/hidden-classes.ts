import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

/** Asks V8 whether an object has a hidden class, and is not a hash table. */
export function hasFastProperties(object: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  const ask = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;
  return ask(object);
}
