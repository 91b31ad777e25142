import type { IncomingMessage, ServerResponse } from 'node:http';

/** The options of `createServer` that name the classes of its requests and responses. */
interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

/** The prototypes that an Express app gives requests and responses. */
interface ExpressPrototypes {
  readonly request: object;
  readonly response: object;
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
 * const server = createServer(messageClasses(app), app).listen(0);
 * server.close();
 * ```
 */
export function messageClasses({ request, response }: ExpressPrototypes): MessageClasses {
  return {
    IncomingMessage: withPrototype(classOf(request, 'IncomingMessage'), request),
    ServerResponse: withPrototype(classOf(response, 'ServerResponse'), response),
  } as MessageClasses;
}

type MessageClass = new (...given: never[]) => object;

/** Returns the class of Node that a prototype of Express inherits from, without an import of Node. */
function classOf(prototype: object | undefined, name: string): MessageClass {
  const base = prototype?.constructor;
  if (base?.name === name) return base as MessageClass;
  throw new TypeError('messageClasses requires the app that express() returns. Write: messageClasses(app)');
}

/**
 * Returns a constructor like `base` whose instances have this very prototype: a subclass would have a prototype of its own,
 * which Express would replace. The classes of Node are functions; a `class` cannot be called, so it is returned unchanged,
 * and Express replaces the prototype as usual.
 */
function withPrototype(base: MessageClass, prototype: object): MessageClass {
  if (isClassSyntax(base)) return base;
  function Message(this: object, ...given: unknown[]): void {
    Reflect.apply(base, this, given);
  }
  Message.prototype = prototype;
  // V8 sizes an object by the constructors along this chain. One that outgrows its size becomes a hash table.
  Object.setPrototypeOf(Message, base);
  return Message as unknown as MessageClass;
}

/** Only the prototype of a `class` is read-only. */
const isClassSyntax = (base: MessageClass): boolean =>
  Object.getOwnPropertyDescriptor(base, 'prototype')?.writable === false;
