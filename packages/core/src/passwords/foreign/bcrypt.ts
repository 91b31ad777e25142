import type { ForeignScheme } from './foreign-scheme.js';
import { cryptField } from './text-field.js';

/** Cost 14 takes a thread about a second, and each further step doubles it. */
const MAX_COST = 14;
const MIN_COST = 4;

/** bcrypt. `$2a$`, `$2b$` and `$2y$` name fixes of implementations and are the same here; `$2x$` is the unfixed one. */
export const bcrypt: ForeignScheme = {
  prefix: '\\$2[aby]\\$\\d\\d',
  separators: ['$', ''],
  salt: cryptField(22),
  digest: cryptField(31),
  derivation(prefix, salt, digestBytes) {
    const cost = Number(prefix.slice(-2));
    if (cost < MIN_COST || cost > MAX_COST || digestBytes !== 31) return undefined;
    return { scheme: 'bcrypt', setting: `${prefix}$${Buffer.from(salt).toString('latin1')}`, digestBytes };
  },
};
