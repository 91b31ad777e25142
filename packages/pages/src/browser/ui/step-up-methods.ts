import { appData } from '../app-data.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { pageData } from '../page-data.js';

/** Reports whether this browser reads the options of a step-up; older ones offer the other ways. */
const canProveByPasskey = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** A way to prove the identity again. */
export type StepUpMethod = 'password' | 'code' | 'recoveryCode' | 'passkey';

/** Returns the ways of the signed-in user, the best first. An account with an authenticator app is asked for its code. */
export async function stepUpMethods(needsFactor: boolean): Promise<StepUpMethod[] | Failure> {
  const [factors, passkeys] = await Promise.all([
    appData.secondFactor ? client.factors.list() : undefined,
    pageData.passkeys && canProveByPasskey() ? client.passkeys.list() : undefined,
  ]);
  const failure = factors?.error ?? passkeys?.error;
  if (failure) return failure;
  const hasApp = (factors?.data?.factors.length ?? 0) > 0;
  const hasCodes = (factors?.data?.recoveryCodesLeft ?? 0) > 0;
  const passkey: StepUpMethod[] = (passkeys?.data?.length ?? 0) > 0 ? ['passkey'] : [];
  if (!hasApp) return needsFactor ? passkey : ['password', ...passkey];
  const byApp: StepUpMethod[] = hasCodes ? ['code', ...passkey, 'recoveryCode'] : ['code', ...passkey];
  return needsFactor ? byApp : [...byApp, 'password'];
}
