import { didYouMean } from '../kernel/near-names.js';
import { HOOK_NAMES } from './before-hooks.js';

/** @throws TypeError that shows the right line, for a hook that is unknown or not a function. */
export function assertBeforeHooks(before: unknown): void {
  if (before === undefined) return;
  if (typeof before !== 'object' || before === null) {
    throw new TypeError(`createAuth: before must be an object of hooks. ${rightLine('login')}`);
  }
  for (const [name, hook] of Object.entries(before)) assertHook(name, hook);
}

function assertHook(name: string, hook: unknown): void {
  const names: readonly string[] = HOOK_NAMES;
  if (!names.includes(name)) {
    const hint = `${didYouMean(name, names)} Hooks are ${names.join(', ')}.`;
    throw new TypeError(`createAuth: before.${name} is not a hook.${hint} ${rightLine('login')}`);
  }
  if (hook !== undefined && typeof hook !== 'function') {
    throw new TypeError(`createAuth: before.${name} must be a function. ${rightLine(name)}`);
  }
}

const rightLine = (name: string): string =>
  `Write: createAuth(settings, { before: { ${name}: async (attempt, client) => { … } } })`;
