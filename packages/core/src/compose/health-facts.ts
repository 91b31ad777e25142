import type { HealthReport } from '../metrics/health-report-schema.js';
import type { Settings } from '../settings/settings.js';
import type { AuthFacts } from './auth.js';

/** Returns the facts of a process that operators see: none of them is secret. */
export const healthFactsOf = (
  { environment, passkeys, registration }: Settings,
  { signingKeyId, storeKind, mailTransport, entitlements, secondFactor, passwordEngine }: AuthFacts,
): HealthReport['facts'] => ({
  environment,
  signingKeyId,
  store: storeKind,
  mailTransport,
  entitlements,
  secondFactor,
  passkeys: passkeys.enabled,
  registration: registration.enabled,
  passwordEngine,
});
