import type { Settings } from '@latchkey/core';
import { LEAST_PASSWORD_COST } from './test-users.js';

/** Returns the settings with passwords that cost next to nothing. Settings themselves never go below what is safe in production. */
export const withCheapPasswords = (settings: Settings): Settings => ({
  ...settings,
  passwords: { ...settings.passwords, argon2: LEAST_PASSWORD_COST },
});
