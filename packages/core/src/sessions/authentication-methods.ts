/** Authentication methods of RFC 8176 that each way of signing in stands for. */
export const PASSWORD_METHODS: readonly string[] = ['pwd'];
export const PASSKEY_METHODS: readonly string[] = ['hwk', 'user'];
/** A machine vouched for the user: nobody signed in. */
export const MINTED_METHODS: readonly string[] = ['mca'];

const HANDOFF_METHOD = 'otp';

/** Methods that a person proves themselves by. The one-time code of a hand-off only passes a sign-in on. */
const PROOFS_OF_PERSON = new Set(['pwd', 'hwk', 'mfa']);

/** Returns the methods of a session that a hand-off opens: those of its parent and the one-time code. */
export const handedOffMethods = (parent: readonly string[]): readonly string[] => [
  ...new Set([...parent, HANDOFF_METHOD]),
];

/** Reports whether the methods of a session say that the user signed in themselves. */
export const isSignedInByPerson = (amr: readonly string[]): boolean =>
  amr.some((method) => PROOFS_OF_PERSON.has(method));
