import type { Mutation } from './mutation.js';

const HIDDEN =
  'The preview of a mailed link changes nothing, and shows of the other mailbox of the account no more than its first character and its domain.';
const ALIKE = 'The preview of a mailed link rejects every token that the route which takes it rejects.';

const CHANGES = 'packages/core/src/email-change/email-change-service.ts';

/** The pages behind mailed links, which show what they are about. */
export const mailedLinkPreviewsMutations: readonly Mutation[] = [
  {
    promise: HIDDEN,
    defect: 'the preview of a change shows the address of the account in full',
    file: CHANGES,
    from: '{ email: found.newEmail, currentEmail: partlyHiddenEmail(user.email) }',
    to: '{ email: found.newEmail, currentEmail: user.email }',
  },
  {
    promise: HIDDEN,
    defect: 'the link to a former address shows the new one in full',
    file: CHANGES,
    from: '{ email: found.oldEmail, currentEmail: partlyHiddenEmail(user.email) }',
    to: '{ email: found.oldEmail, currentEmail: user.email }',
  },
  {
    promise: ALIKE,
    defect: 'the link of an account that may not sign in is previewed',
    file: CHANGES,
    from: `    if (!user || !maySignIn(user)) throw unusableToken();
    return {`,
    to: `    if (!user) throw unusableToken();
    return {`,
  },
  {
    promise: ALIKE,
    defect: 'the link of a registration that was decided against is previewed',
    file: 'packages/core/src/email-verification/email-verification-service.ts',
    from: 'if (!found || !proofEffectOn(found.user, this.#options)) throw unusableToken();',
    to: 'if (!found) throw unusableToken();',
  },
];
