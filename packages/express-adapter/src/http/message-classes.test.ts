import { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import express from 'express';
import { expect, it } from 'vitest';
import { messageClasses, withPrototype } from './message-classes.js';

it('messageClasses rejects what is not an app, such as a router', () => {
  const message = 'messageClasses requires the app that express() returns. Write: messageClasses(app)';
  for (const given of [express.Router(), {}, { request: {}, response: {} }]) {
    expect(() => messageClasses(given as never)).toThrow(new TypeError(message));
  }
});

it('withPrototype returns a constructor whose instances have the prototype at once', () => {
  const prototype = Object.create(IncomingMessage.prototype) as object;
  const Message = withPrototype(IncomingMessage, prototype);
  const message = new Message({ readableHighWaterMark: 1 } as never);
  expect(Object.getPrototypeOf(message)).toBe(prototype);
  expect(message).toMatchObject({ headers: {}, complete: false });
});

it('withPrototype returns a class unchanged, since it cannot be called', () => {
  class Message extends IncomingMessage {}
  expect(withPrototype(Message, {})).toBe(Message);
});

it('messages keep their hidden class when middleware adds properties to them', () => {
  const prototype = Object.create(IncomingMessage.prototype) as object;
  const Message = withPrototype(IncomingMessage, prototype);
  // V8 decides about the size of objects while it creates the first ones.
  const messages = Array.from({ length: 20 }, () => withMore(new Message({} as never)));
  expect(messages.map(isFast)).not.toContain(false);
});

/** Adds what frameworks typically add, by names that are not in the code, as routers do with symbols. */
function withMore(message: object): object {
  for (const name of ['res', 'next', 'baseUrl', 'originalUrl', 'params', 'route', 'query', 'cookies']) {
    Reflect.set(message, name, 1);
  }
  return message;
}

/** Asks V8 whether an object has a hidden class, and is not a hash table. */
function isFast(object: object): boolean {
  setFlagsFromString('--allow-natives-syntax');
  const ask = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;
  return ask(object);
}
