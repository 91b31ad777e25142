import type { CeremonyError, RequestError, RequestInput, SessionReplacedError } from '@latchkey/client';
import { client } from '../client.js';

type Proof = RequestInput<'POST', '/auth/step-up'>['body'];
type StepUpFailure = RequestError<'POST', '/auth/step-up'> | SessionReplacedError;
type PasskeyFailure = StepUpFailure | RequestError<'POST', '/auth/step-up/options'> | CeremonyError;

/** Sends a proof, with which the session goes on. Returns the failure. */
export async function prove(proof: Proof): Promise<StepUpFailure | undefined> {
  return (await client.stepUp(proof)).error;
}

/** Asks the browser for a passkey of the user, and sends its response. Returns the failure. */
export async function proveByPasskey(): Promise<PasskeyFailure | undefined> {
  const { data, error } = await client.request('POST', '/auth/step-up/options');
  if (error) return error;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data);
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return await prove({ credential: credential.toJSON() as NonNullable<Proof['credential']> });
  } catch (thrown) {
    return { code: 'passkey_cancelled', message: 'No passkey was used.', cause: thrown };
  }
}
