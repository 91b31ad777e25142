import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';

/** Asks V8 whether an object has a hidden class, and is not a hash table. */
export const hasFastProperties = (object: object): boolean =>
  ask('(object) => %HasFastProperties(object)', object);

/** Asks V8 whether all objects have the same hidden class, so that none was created for one of them alone. */
export const haveSameHiddenClass = ([first, ...others]: readonly object[]): boolean =>
  first !== undefined && others.every((other) => ask('(a, b) => %HaveSameMap(a, b)', first, other));

function ask(source: string, ...objects: object[]): boolean {
  setFlagsFromString('--allow-natives-syntax');
  return (runInThisContext(source) as (...objects: object[]) => boolean)(...objects);
}
