import { IncomingMessage, ServerResponse } from 'node:http';

/** Counts how often the prototype of a request or response is replaced by another one while `work` runs. */
export async function countPrototypeChanges(work: () => Promise<unknown>): Promise<number> {
  const { setPrototypeOf } = Object;
  let changes = 0;
  Object.setPrototypeOf = (target: object, prototype: object | null) => {
    const isMessage = target instanceof IncomingMessage || target instanceof ServerResponse;
    if (isMessage && Object.getPrototypeOf(target) !== prototype) changes++;
    return setPrototypeOf(target, prototype) as object;
  };
  try {
    await work();
    return changes;
  } finally {
    Object.setPrototypeOf = setPrototypeOf;
  }
}
