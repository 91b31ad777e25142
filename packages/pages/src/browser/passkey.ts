import { client } from './client.js';
import type { Failure } from './failure.js';

/** The outcome of a sign-in with a passkey. */
export type PasskeyOutcome = Awaited<ReturnType<typeof client.passkeys.signIn>>;

export const passkeysWork = (): boolean => client.passkeys.isSupported();

let suggestions = new AbortController();

/** Asks for a passkey in the dialog of the browser. */
export function signInWithPasskey(): Promise<PasskeyOutcome> {
  stopOffering();
  return client.passkeys.signIn();
}

/**
 * Offers passkeys in the suggestions of the email field, if the browser supports it. Ends when the user picks one or
 * signs in another way.
 */
export async function offerPasskeyAutofill(): Promise<PasskeyOutcome | undefined> {
  const { signal } = (suggestions = new AbortController());
  if (!(await client.passkeys.isAutofillSupported())) return undefined;
  return client.passkeys.signIn({ autofill: true, signal });
}

/** Ends the suggestions, which would block other ways to sign in. */
export const stopOffering = (): void => suggestions.abort();

const DISMISSED: readonly string[] = [
  'aborted',
  'passkey_cancelled',
  'passkey_exists',
  'passkey_unsupported',
];

/** Reports whether a ceremony ended in the browser: no passkey was used, and the user knows why. */
export const isDismissed = ({ code }: Failure): boolean => DISMISSED.includes(code);
