import { ExternalProviders } from '@latchkey/core/internal/external-sign-in/external-providers';
import type { ExternalProviderSettings } from '@latchkey/core/internal/settings/external-provider-settings';
import { failureReason } from '../failure-reason.js';

/** The metadata of a service that signs users in, or the reason why it cannot be used. */
export interface ProviderFacts {
  /** The connection. */
  id: string;
  label: string;
  /** The address to register there. */
  redirectUri: string;
  /** Null for a service without OpenID Connect, and if it did not answer. */
  issuer: string | null;
  /** Number of its public keys; null as `issuer`. */
  keys: number | null;
  /** Null if it can be used. */
  problem: string | null;
}

/** Asks each service what it publishes, all at once. */
export function probeProviders(
  settings: readonly ExternalProviderSettings[],
  baseUrl: string,
): Promise<ProviderFacts[]> {
  return Promise.all(
    new ExternalProviders(settings).all.map(async (provider) => {
      const { id, label } = provider.traits;
      const about = { id, label, redirectUri: `${baseUrl}/external/callback/${id}` };
      try {
        const { issuer = null, keys = null } = await provider.probe();
        return { ...about, issuer, keys, problem: null };
      } catch (cause) {
        return { ...about, issuer: null, keys: null, problem: problemOf(cause) };
      }
    }),
  );
}

/** The cause of an unusable response says more than the response. */
function problemOf(failure: unknown): string {
  const cause: unknown = failure instanceof Error ? failure.cause : undefined;
  const reason = failureReason(failure);
  return cause === undefined ? reason : `${reason} ${failureReason(cause)}`;
}
