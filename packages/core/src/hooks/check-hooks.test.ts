import { expect, it } from 'vitest';
import { assertBeforeHooks } from './check-hooks.js';

const RIGHT = 'Write: createAuth(settings, { before: { login: async (attempt, client) => { … } } })';
const ok = () => undefined;

it.each([undefined, {}, { login: ok }, { register: ok, login: ok, invitation: undefined }])(
  '%j is fine',
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
    `createAuth: before.logn is no hook. Did you mean login? Hooks are register, login, invitation. ${RIGHT}`,
  ],
  [
    { login: ok, beforeRegister: ok },
    `createAuth: before.beforeRegister is no hook. Did you mean register? Hooks are register, login, invitation. ${RIGHT}`,
  ],
  [
    { toString: ok },
    `createAuth: before.toString is no hook. Hooks are register, login, invitation. ${RIGHT}`,
  ],
  [
    { invitation: true },
    `createAuth: before.invitation must be a function. ${RIGHT.replace('login', 'invitation')}`,
  ],
])('%#: what cannot work is refused, and told how it is written', (before, message) => {
  expect(() => {
    assertBeforeHooks(before);
  }).toThrow(new TypeError(message));
});
