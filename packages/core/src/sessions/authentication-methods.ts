/** Authentication methods of RFC 8176, by way of signing in. */
export const PASSWORD_METHODS: readonly string[] = ['pwd'];
/** A passkey with user verification counts as two factors. */
export const PASSKEY_METHODS: readonly string[] = ['hwk', 'user', 'mfa'];
/** A password and a one-time code or a recovery code. */
export const SECOND_FACTOR_METHODS: readonly string[] = ['pwd', 'otp', 'mfa'];
/** A one-time code or a recovery code, beside a first factor. */
export const CODE_METHODS: readonly string[] = ['otp', 'mfa'];
/** Methods of a session that a machine created for a user: the user did not sign in. */
export const MINTED_METHODS: readonly string[] = ['mca'];

const HANDOFF_METHOD = 'otp';

/**
 * Methods by which a user proves their identity. The one-time code of a hand-off only passes a sign-in on.
 */
const PROOFS_OF_PERSON = new Set(['pwd', 'hwk', 'mfa']);

/** Returns the methods of a session that a hand-off creates: those of its parent and the one-time code. */
export const handedOffMethods = (parent: readonly string[]): readonly string[] => [
  ...new Set([...parent, HANDOFF_METHOD]),
];

/** Reports whether the user proved a first factor, by the methods of the session. */
export const hasFirstFactor = (amr: readonly string[]): boolean =>
  amr.some((method) => method === 'pwd' || method === 'hwk');

/** Reports whether the user signed in themselves, by the methods of the session. */
export const isSignedInByPerson = (amr: readonly string[]): boolean =>
  amr.some((method) => PROOFS_OF_PERSON.has(method));
