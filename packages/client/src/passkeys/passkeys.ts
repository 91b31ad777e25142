import type { StepUpProof, StepUpResult } from '../account/step-up.js';
import { transportError, type Result, type TransportError } from '../api/client-error.js';
import type { RequestError, RequestResult } from '../api/requester.js';
import type { RequestInput, Schemas } from '../api/routes.js';
import { completeSignIn, type SignInDeps, type SignInOutcome } from '../session/sign-in.js';
import { createPasskey, getPasskey } from './ceremony.js';

/**
 * A ceremony that ended in the browser. `passkey_cancelled`: the user closed the dialog, has no passkey here, or took too
 * long; `passkey_unsupported`: the browser has no passkeys, or the address is not secure; `passkey_exists`: this device
 * has a passkey of the account already.
 */
export interface CeremonyError {
  code: 'passkey_cancelled' | 'passkey_unsupported' | 'passkey_exists';
  message: string;
  cause: unknown;
}

/**
 * The options of a sign-in with a passkey. `autofill` offers passkeys in the suggestions of a field with
 * `autocomplete="username webauthn"`; end it with `signal` before another ceremony starts.
 */
export interface PasskeySignInOptions {
  autofill?: boolean;
  signal?: AbortSignal;
}

/** The errors of a sign-in with a passkey. */
type SignInError =
  | RequestError<'POST', '/auth/passkeys/login/options'>
  | RequestError<'POST', '/auth/passkeys/login/verify'>
  | CeremonyError;

/** The errors of adding a passkey. */
type AddError =
  | RequestError<'POST', '/auth/passkeys/register/options'>
  | RequestError<'POST', '/auth/passkeys/register/verify'>
  | CeremonyError;

/** The errors of a step-up with a passkey. */
type PasskeyStepUpError =
  | RequestError<'POST', '/auth/step-up/options'>
  | NonNullable<StepUpResult['error']>
  | CeremonyError;

type Assertion = RequestInput<'POST', '/auth/passkeys/login/verify'>['body']['credential'];
type Attestation = RequestInput<'POST', '/auth/passkeys/register/verify'>['body']['credential'];

/**
 * Passkeys: sign-in, and those of the signed-in user.
 *
 * @example
 * const add = (passkeys: ClientPasskeys, currentPassword: string) => passkeys.add({ currentPassword, name: 'Laptop' });
 */
export class ClientPasskeys {
  readonly #deps;

  constructor(deps: SignInDeps & { stepUp: (proof: StepUpProof) => Promise<StepUpResult> }) {
    this.#deps = deps;
  }

  /** Reports whether this browser has passkeys at this address. */
  isSupported(): boolean {
    return typeof PublicKeyCredential === 'function';
  }

  /** Reports whether this browser can offer passkeys in the suggestions of a field. */
  async isAutofillSupported(): Promise<boolean> {
    if (!this.isSupported()) return false;
    // Older browsers lack the function.
    const { isConditionalMediationAvailable: isAvailable } = PublicKeyCredential as Partial<
      typeof PublicKeyCredential
    >;
    return (await isAvailable?.call(PublicKeyCredential)) ?? false;
  }

  /**
   * Signs in with a passkey of the user's choice. If `autofill` fails before the user chooses one, that is
   * `passkey_cancelled` with the error as its cause; one that is chosen too late is asked for again in the dialog.
   */
  async signIn({ autofill = false, signal }: PasskeySignInOptions = {}): Promise<
    Result<SignInOutcome, SignInError>
  > {
    if (!this.isSupported()) return failed(unsupported());
    const aborting = signal && { signal };
    const options = await this.#deps.request('POST', '/auth/passkeys/login/options', {
      body: {},
      ...aborting,
    });
    if (!options.ok) return autofill ? failed(ceremonyError(options.error, signal)) : options;
    const { timeout = Infinity } = options.data;
    const begun = Date.now();
    try {
      const credential = (await getPasskey(options.data, autofill, signal)) as Assertion;
      // Suggestions stay open as long as the page; the challenge of the service expires.
      if (autofill && Date.now() - begun > timeout) return await this.signIn(aborting);
      const verified = await this.#deps.request('POST', '/auth/passkeys/login/verify', {
        body: { credential },
        ...aborting,
      });
      return await completeSignIn(verified, this.#deps.start);
    } catch (thrown) {
      return failed(ceremonyError(thrown, signal));
    }
  }

  /** Proves the identity of the signed-in user again, with a passkey: `client.stepUp` with another proof. */
  async stepUp(signal?: AbortSignal): Promise<Result<undefined, PasskeyStepUpError>> {
    if (!this.isSupported()) return failed(unsupported());
    const options = await this.#deps.request('POST', '/auth/step-up/options', {
      body: {},
      ...(signal && { signal }),
    });
    if (!options.ok) return options;
    try {
      return await this.#deps.stepUp({
        credential: (await getPasskey(options.data, false, signal)) as Assertion,
      });
    } catch (thrown) {
      return failed(ceremonyError(thrown, signal));
    }
  }

  /**
   * Adds a passkey to the account of the signed-in user, who confirms with the current password. An account without a password
   * needs a sign-in of the last 15 minutes instead.
   */
  async add({
    currentPassword,
    name,
    signal,
  }: {
    currentPassword?: string;
    name?: string;
    signal?: AbortSignal;
  }): Promise<Result<Schemas['Passkey'], AddError>> {
    if (!this.isSupported()) return failed(unsupported());
    const options = await this.#deps.request('POST', '/auth/passkeys/register/options', {
      body: currentPassword === undefined ? {} : { currentPassword },
    });
    if (!options.ok) return options;
    try {
      const credential = (await createPasskey(options.data, signal)) as Attestation;
      return await this.#deps.request('POST', '/auth/passkeys/register/verify', {
        body: { credential, ...(name !== undefined && { name }) },
      });
    } catch (thrown) {
      return failed(ceremonyError(thrown, signal));
    }
  }

  /** Lists the passkeys of the signed-in user, newest first. */
  list(): Promise<RequestResult<'GET', '/auth/passkeys'>> {
    return this.#deps.request('GET', '/auth/passkeys');
  }

  rename(id: string, name: string): Promise<RequestResult<'PATCH', '/auth/passkeys/{id}'>> {
    return this.#deps.request('PATCH', '/auth/passkeys/{id}', { path: { id }, body: { name } });
  }

  /** Removes a passkey. `reauthentication_required` if the sign-in is too old. */
  remove(id: string): Promise<RequestResult<'DELETE', '/auth/passkeys/{id}'>> {
    return this.#deps.request('DELETE', '/auth/passkeys/{id}', { path: { id } });
  }
}

const failed = <Failure>(error: Failure): { ok: false; error: Failure; response: undefined } => ({
  ok: false,
  error,
  response: undefined,
});

const unsupported = (): CeremonyError => ({
  code: 'passkey_unsupported',
  message: 'Passkeys need HTTPS or localhost.',
  cause: undefined,
});

function ceremonyError(thrown: unknown, signal: AbortSignal | undefined): CeremonyError | TransportError {
  const name = thrown instanceof Error ? thrown.name : '';
  if (signal?.aborted) return transportError(thrown, signal);
  if (name === 'InvalidStateError') {
    return {
      code: 'passkey_exists',
      message: 'This device has a passkey already.',
      cause: thrown,
    };
  }
  if (name === 'SecurityError' || name === 'NotSupportedError') return { ...unsupported(), cause: thrown };
  return { code: 'passkey_cancelled', message: 'No passkey was used.', cause: thrown };
}
