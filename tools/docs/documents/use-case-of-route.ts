import type { Auth } from '@latchkey/core';
import type { Route } from '@latchkey/express-adapter';

/**
 * Returns the method of `Auth` that a route calls, such as `login.withPassword`, or undefined for a route that calls
 * none. The route's handler runs against an object that only records the first method it calls.
 */
export function useCaseOfRoute(route: Route): string | undefined {
  let called: string | undefined;
  const auth = recorder((path) => (called ??= path)) as Auth;
  const input = new Proxy({}, { get: (_target, name) => (name === 'auth' ? auth : anything()) });
  // An asynchronous handler goes on with what it was given; only its first call counts.
  Promise.resolve(route.handle(input as Parameters<Route['handle']>[0])).catch(() => undefined);
  return called;
}

/** Returns an object of which every member is a recorder again, and every call of a member is reported by its path. */
function recorder(report: (path: string) => void, path: readonly string[] = []): unknown {
  return new Proxy(() => undefined, {
    get: (_target, name) => {
      if (name === Symbol.toPrimitive) return () => 'text';
      return typeof name === 'symbol' || name === 'then' ? undefined : recorder(report, [...path, name]);
    },
    apply: () => {
      report(path.join('.'));
      return anything();
    },
  });
}

/** Returns an object that has every member and can be called: input of which nothing is looked at. */
const anything = (): unknown => recorder(() => undefined);
