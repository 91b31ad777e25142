import { expect, it } from 'vitest';
import { assertBeforeHooks } from './check-hooks.js';

const RIGHT = 'Write: createAuth(settings, { before: { login: async (attempt, client) => { … } } })';
const ok = () => undefined;

it.each([undefined, {}, { login: ok }, { register: ok, login: ok, invitation: undefined }])(
  'the hooks %j are accepted',
  (before) => {
    expect(() => {
      assertBeforeHooks(before);
    }).not.toThrow();
  },
);

it.each<[unknown, string]>([
  [null, `createAuth: before must be an object of hooks. ${RIGHT}`],
  [ok, `createAuth: before must be an object of hooks. ${RIGHT}`],
  [
    { logn: ok },
    `createAuth: before.logn is not a hook. Did you mean login? Hooks are register, login, link, invitation. ${RIGHT}`,
  ],
  [
    { login: ok, beforeRegister: ok },
    `createAuth: before.beforeRegister is not a hook. Did you mean register? Hooks are register, login, link, invitation. ${RIGHT}`,
  ],
  [
    { toString: ok },
    `createAuth: before.toString is not a hook. Hooks are register, login, link, invitation. ${RIGHT}`,
  ],
  [
    { invitation: true },
    `createAuth: before.invitation must be a function. ${RIGHT.replace('login', 'invitation')}`,
  ],
])('invalid hooks are rejected with the right way to write them (case %#)', (before, message) => {
  expect(() => {
    assertBeforeHooks(before);
  }).toThrow(new TypeError(message));
});
