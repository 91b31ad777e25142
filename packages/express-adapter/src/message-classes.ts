import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The options of `createServer` that name the classes of its requests and responses. */
interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/**
 * Returns options for `createServer` of `node:http` or `node:https` that create requests and responses with the prototypes
 * of an Express app. Express otherwise replaces the prototypes of every request and response, after which V8 no longer
 * optimizes access to their properties: a short route then costs more than twice the CPU time. Behavior is unchanged.
 * @param app the app that listens; apps that are mounted in it keep working.
 * @throws TypeError when `app` is not an Express app.
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * app.get('/mine', (request, response) => void response.json(Object.getPrototypeOf(request) === app.request));
 * const server = createServer(messageClasses(app), app).listen(0);
 * const { port } = server.address() as { port: number };
 * await (await fetch(`http://127.0.0.1:${port}/mine`)).json(); // → true
 * server.close();
 * ```
 */
export function messageClasses(app: Pick<Express, 'request' | 'response'>): MessageClasses {
  assertExpressApp(app);
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
}

/**
 * Returns a constructor like `base` whose instances have this very prototype: a subclass would have a prototype of its own,
 * which Express would replace. Not `Reflect.construct`, which V8 handles like a change of the prototype. The classes of Node
 * are functions; a `class` cannot be called, so it is returned unchanged, and Express replaces the prototype as usual.
 */
export function withPrototype<Base extends new (...given: never[]) => object>(
  base: Base,
  prototype: object,
): Base {
  if (isClassSyntax(base)) return base;
  function Message(this: object, ...given: unknown[]): void {
    Reflect.apply(base, this, given);
  }
  Message.prototype = prototype;
  // V8 sizes an object by the constructors along this chain. One that outgrows its size becomes a hash table, which costs a
  // short request a sixth of its CPU time.
  Object.setPrototypeOf(Message, base);
  return Message as unknown as Base;
}

/** Only the prototype of a `class` is read-only. */
const isClassSyntax = (base: new (...given: never[]) => object): boolean =>
  Object.getOwnPropertyDescriptor(base, 'prototype')?.writable === false;

function assertExpressApp({ request, response }: { request: unknown; response: unknown }): void {
  if (request instanceof IncomingMessage && response instanceof ServerResponse) return;
  throw new TypeError('messageClasses requires the app that express() returns. Write: messageClasses(app)');
}
