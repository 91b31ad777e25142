import type { ForeignScheme } from './foreign-scheme.js';
import { cryptField, valueOfCharacter } from './text-field.js';

/** The least that phpass allows. WordPress has 2^13. */
const MIN_LOG_ROUNDS = 7;
/** Takes a thread more than a second. */
const MAX_LOG_ROUNDS = 19;

/** The portable hashes of phpass: MD5, many times. `$P$` is of WordPress and others, `$H$` of phpBB. */
export const phpass: ForeignScheme = {
  prefix: '\\$[PH]\\$[./0-9A-Za-z]',
  separators: ['', ''],
  salt: cryptField(8),
  digest: cryptField(22),
  derivation(prefix, salt, digestBytes) {
    const logRounds = valueOfCharacter(prefix.slice(-1));
    if (logRounds < MIN_LOG_ROUNDS || logRounds > MAX_LOG_ROUNDS || digestBytes !== 22) return undefined;
    return { scheme: 'phpass', rounds: 2 ** logRounds, salt, digestBytes };
  },
};
