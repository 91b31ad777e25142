import { IncomingMessage } from 'node:http';
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
