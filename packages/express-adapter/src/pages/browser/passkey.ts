import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { call, type Result } from './api.js';
import type { Tokens } from './session.js';

export const passkeysWork = browserSupportsWebAuthn;

/** The outcome of a ceremony. `dismissed`: the user closed the dialog of the browser, or has no passkey here. */
export type PasskeyOutcome = Result<Tokens> | 'dismissed';

/** Asks for a passkey in the dialog of the browser. */
export const signInWithPasskey = (): Promise<PasskeyOutcome> => ceremony(false);

/**
 * Offers passkeys in the suggestions of the email field, if the browser supports it. Ends when the user picks one or when
 * another ceremony starts.
 */
export async function offerPasskeyAutofill(): Promise<PasskeyOutcome> {
  return (await browserSupportsWebAuthnAutofill()) ? ceremony(true) : 'dismissed';
}

/** Ends the suggestions, which would block other ways to sign in. */
export const stopOffering = (): void => WebAuthnAbortService.cancelCeremony();

async function ceremony(useBrowserAutofill: boolean): Promise<PasskeyOutcome> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>('POST', '/auth/passkeys/login/options', {
    body: {},
  });
  // Suggestions were not requested, so their failure is not shown.
  if (!options.ok) return useBrowserAutofill ? 'dismissed' : options;
  const { timeout = Infinity } = options.data;
  const begun = Date.now();
  try {
    const credential = await startAuthentication({ optionsJSON: options.data, useBrowserAutofill });
    // Suggestions stay open as long as the page; the challenge of the service expires.
    if (useBrowserAutofill && Date.now() - begun > timeout) return await ceremony(false);
    return await call<Tokens>('POST', '/auth/passkeys/login/verify', { body: { credential } });
  } catch {
    return 'dismissed';
  }
}
