import { isGenerated } from '../../settings/fingerprint.js';
import { check, ok, skipped, warning, type Check, type Verdict } from '../check.js';
import { inWords, isProduction } from '../situation.js';

/** Bits above which signing takes many times as long and no verifier is safer for it. */
const MOST_BITS = 4096;
const OLD_KEY_DAYS = 365;
const MANY_KEYS = 3;
/** Of a machine key: as many as `openssl rand -hex 16` makes. */
const LEAST_MACHINE_KEY = 32;

const ROTATION = 'see "Changing keys" in the operations guide';

export const keyChecks: readonly Check[] = [
  check({
    id: 'keys.signing',
    group: 'Keys and secrets',
    title: 'The signing key is strong',
    why: 'Whoever can work out the signing key can make tokens for anybody. A very long key makes each sign-in slow.',
    needs: ['keys'],
    judge: ({ keys: { signing } }) => {
      if (!signing) return ok('made by the service and kept in DATA_DIR, development only');
      const found = `RSA, ${signing.bits} bits, kid ${signing.kid}`;
      return signing.bits > MOST_BITS
        ? warning(found, `use one of ${MOST_BITS} bits at most: latchkey keys generate --bits 3072`)
        : ok(found);
    },
  }),
  check({
    id: 'keys.age',
    group: 'Keys and secrets',
    title: 'The signing key is changed from time to time',
    why: 'The longer a key is in use, the more copies of it lie around, and the less the change of keys is practised.',
    needs: ['keys', 'runtime'],
    judge: ({ keys: { writtenAt }, runtime: { now } }) => {
      if (!writtenAt) return skipped('the key does not come from a file, so its age is not known');
      const seconds = Math.max(0, (now.getTime() - writtenAt.getTime()) / 1000);
      const found = `its file was written ${inWords(seconds)} ago`;
      return seconds > OLD_KEY_DAYS * 86_400 ? warning(found, `change it: ${ROTATION}`) : ok(found);
    },
  }),
  check({
    id: 'keys.verification',
    group: 'Keys and secrets',
    title: 'Only keys that are still needed are accepted',
    why: 'Each further key that is accepted is one more that must not be stolen.',
    needs: ['keys'],
    judge: ({ keys: { signing, verification } }) => {
      // A rotation keeps the signing key among them: so it is accepted on both sides of a change of the other file.
      const others = verification.filter(({ kid }) => kid !== signing?.kid);
      const found = others.map(({ kid }) => kid).join(', ') || 'none besides the signing key';
      if (others.length > MANY_KEYS) {
        return warning(
          found,
          'take keys out of JWT_VERIFICATION_KEYS_PEM that have not signed for SESSION_MAX_LIFETIME',
        );
      }
      return ok(found);
    },
  }),
  check({
    id: 'keys.pepper',
    group: 'Keys and secrets',
    title: 'The pepper of refresh tokens is random',
    why: 'Refresh tokens are derived from it: one that can be guessed makes old tokens known, and hides their reuse.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const peppers = settings.sessions.refreshTokenPeppers?.reveal() ?? [];
      if (peppers.length === 0) return ok('derived from the signing key');
      return judgeSecrets(peppers, 'REFRESH_TOKEN_PEPPER', 'openssl rand -base64 48');
    },
  }),
  check({
    id: 'keys.machine',
    group: 'Keys and secrets',
    title: 'The machine key is long and random',
    why: 'Whoever has it may read and change every user.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const keys = settings.machine.internalApiKeys?.reveal() ?? [];
      if (keys.length === 0) return skipped('not set: machine routes are off');
      if (!isProduction(settings) && keys.every((key) => key.length < LEAST_MACHINE_KEY)) {
        return skipped('short; that matters in production');
      }
      return judgeSecrets(keys, 'AUTH_INTERNAL_API_KEY', 'openssl rand -hex 32');
    },
  }),
];

function judgeSecrets(secrets: readonly string[], name: string, maker: string): Verdict {
  const fix = `generate one with: ${maker}`;
  if (new Set(secrets).size < secrets.length)
    return warning('both are the same', `${fix}; or leave one out of ${name}`);
  if (!secrets.every(isGenerated)) return warning('it does not look random, or is short', fix);
  return ok(secrets.length === 1 ? 'set' : 'two, one of which can go when everybody uses the other');
}
