import { API_KEY_MODES } from '../api-key-mode.js';
import { choice, duration, durationOrNone } from '../kinds/plain-kinds.js';
import { defaulted, optional } from '../setting-definition.js';

export const apiKeyDefinitions = [
  optional({
    name: 'API_KEYS',
    group: 'API keys',
    kind: choice(API_KEY_MODES),
    default: '`off` in production, else `all`',
    description:
      'The API keys that programs may use: those that users make for themselves (`personal`), those of companies (`company`), or both ' +
      '(`all`). Keys of another kind stop working at once and are kept.',
    example: 'personal',
  }),
  defaulted({
    name: 'API_KEY_DEFAULT_LIFETIME',
    group: 'API keys',
    kind: duration('1h', '3650d'),
    default: '90d',
    description:
      'Lifetime of an API key that is made without one; `API_KEY_MAX_LIFETIME` if that is shorter.',
  }),
  defaulted({
    name: 'API_KEY_MAX_LIFETIME',
    group: 'API keys',
    kind: durationOrNone('1h', '3650d'),
    default: '365d',
    description:
      'The longest lifetime that an API key can be made with. `none` also allows keys that do not expire.',
  }),
] as const;
