const MINTED_METHOD = 'mca';

/** Authentication methods of RFC 8176, by way of signing in. */
export const PASSWORD_METHODS: readonly string[] = ['pwd'];
/** A passkey with user verification counts as two factors. */
export const PASSKEY_METHODS: readonly string[] = ['hwk', 'user', 'mfa'];
/** A one-time code or a recovery code, beside a first factor. */
export const CODE_METHODS: readonly string[] = ['otp', 'mfa'];
/** Methods of a session that a machine created for a user: the user did not sign in. */
export const MINTED_METHODS: readonly string[] = [MINTED_METHOD];

/** A sign-in at another service: a common value that RFC 8176 does not register. */
export const EXTERNAL_METHODS: readonly string[] = ['fed'];

/** A link or a code that was sent to the mailbox of the user. */
export const MAILED_METHODS: readonly string[] = ['otp'];

const HANDOFF_METHOD = 'otp';

/** Methods by which a user proves their identity also in a session that a machine created. */
const PROOFS_OF_PERSON = new Set(['pwd', 'hwk', 'mfa', 'user']);

/** Returns the methods of a session that a hand-off creates: those of its parent and the one-time code. */
export const handedOffMethods = (parent: readonly string[]): readonly string[] => [
  ...new Set([...parent, HANDOFF_METHOD]),
];

/** Returns the methods of a sign-in that a one-time code or a recovery code completed. */
export const withSecondFactor = (first: readonly string[]): readonly string[] => [
  ...new Set([...first, ...CODE_METHODS]),
];

/** Returns the methods of a proof with the one that says that the user was there. */
export const byPerson = (methods: readonly string[]): readonly string[] => [...new Set([...methods, 'user'])];

/**
 * Reports whether the user signed in themselves, by the methods of the session: it was not created by a machine, nor passed on from
 * such a session, or they have proved their identity in it since.
 */
export const isSignedInByPerson = (amr: readonly string[]): boolean =>
  amr.some((method) => PROOFS_OF_PERSON.has(method)) || (amr.length > 0 && !amr.includes(MINTED_METHOD));

/**
 * Methods that an app around the service can name for a proof of its own: values of RFC 8176 section 2, and `fed` for a sign-in at
 * another service. `pwd`, `hwk`, `mfa` and `mca` name what the service itself has verified or done.
 */
export const APP_METHODS = [
  'face',
  'fed',
  'fpt',
  'geo',
  'iris',
  'kba',
  'otp',
  'pin',
  'pop',
  'rba',
  'sc',
  'sms',
  'swk',
  'tel',
  'user',
  'vbm',
  'wia',
] as const;
