import type { Mutation } from './mutation.js';

const SAME_CHECKS =
  'A service with the verifier accepts a token only if this service would accept its signature and claims, and refuses the tokens of every session and user that the feed names.';
const POLICY =
  'A verifier that does not hear of this service accepts nothing beyond the policy it was given, also after a sleep and with a clock that was set.';

export const verifierMutations: readonly Mutation[] = [
  {
    promise: SAME_CHECKS,
    defect: 'the verifier accepts tokens of any type',
    file: 'packages/verifier/src/tokens/verify-token.ts',
    from: '      typ: isOfKey ? KEY_TOKEN_TYPE : ACCESS_TOKEN_TYPE,\n',
    to: '',
  },
  {
    promise: SAME_CHECKS,
    defect: 'the verifier looks at revocations of sessions only',
    file: 'packages/verifier/src/verifier.ts',
    from: '    if (caller.tokenVersion < revocations.minTokenVersion(caller.userId)) throw tokenOutdated();\n',
    to: '    if (caller.tokenVersion < 0) throw tokenOutdated();\n',
  },
  {
    promise: SAME_CHECKS,
    defect: 'the verifier accepts a remembered token without a look at the revocations',
    file: 'packages/verifier/src/verifier.ts',
    from: '    this.#assertNotRevoked(known);\n    return this.#isLive() ? known.caller : undefined;\n',
    to: '    return this.#isLive() ? known.caller : undefined;\n',
  },
  {
    promise: POLICY,
    defect: 'the verifier accepts a remembered token while the feed is stale',
    file: 'packages/verifier/src/verifier.ts',
    from: '    return this.#isLive() ? known.caller : undefined;\n',
    to: '    return known.caller;\n',
  },
  {
    promise: SAME_CHECKS,
    defect: 'the verifier remembers the tokens of a withdrawn key',
    file: 'packages/verifier/src/tokens/access-tokens.ts',
    from: '    if (!this.#deps.keys.isCurrent(keyId, key)) {',
    to: '    if (keyId === key.type) {',
  },
  {
    promise: POLICY,
    defect: 'the verifier does not notice that its machine slept',
    file: 'packages/verifier/src/feed/freshness.ts',
    from: '    return jump > JUMP_MS ? jump : 0;',
    to: '    return jump < 0 ? jump : 0;',
  },
  {
    promise: POLICY,
    defect: 'the verifier accepts tokens indefinitely while its feed is stale',
    file: 'packages/verifier/src/verifier.ts',
    from: '    if (freshness.silenceMs() > acceptMs)',
    to: '    if (freshness.silenceMs() === acceptMs)',
  },
];
