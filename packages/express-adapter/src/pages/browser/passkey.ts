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

/** `dismissed`: the person closed the browser's dialogue, or has no passkey here. */
export type PasskeyOutcome = Result<Tokens> | 'dismissed';

/** Asks for a passkey by the browser's dialogue. */
export const signInWithPasskey = (): Promise<PasskeyOutcome> => ceremony(false);

/**
 * Offers passkeys among the suggestions of the email field, where the browser can. Ends when the person picks one, or
 * when another ceremony begins.
 */
export async function offerPasskeyAutofill(): Promise<PasskeyOutcome> {
  return (await browserSupportsWebAuthnAutofill()) ? ceremony(true) : 'dismissed';
}

/** A suggestion that is open would stand in the way of signing in otherwise. */
export const stopOffering = (): void => WebAuthnAbortService.cancelCeremony();

async function ceremony(useBrowserAutofill: boolean): Promise<PasskeyOutcome> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>('POST', '/auth/passkeys/login/options', {
    body: {},
  });
  // Nobody asked for suggestions, so nobody is told that there are none.
  if (!options.ok) return useBrowserAutofill ? 'dismissed' : options;
  const { timeout = Infinity } = options.data;
  const begun = Date.now();
  try {
    const credential = await startAuthentication({ optionsJSON: options.data, useBrowserAutofill });
    // Suggestions wait as long as the page is open; the service does not.
    if (useBrowserAutofill && Date.now() - begun > timeout) return await ceremony(false);
    return await call<Tokens>('POST', '/auth/passkeys/login/verify', { body: { credential } });
  } catch {
    return 'dismissed';
  }
}
