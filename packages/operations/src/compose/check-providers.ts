import type { SettingSource } from '@latchkey/core/internal/settings/environment';
import type { ProviderFacts } from '../doctor/probes/providers-probe.js';

/**
 * Asks the services by which users sign in what they publish. Requires no database.
 * @param source defaults to the environment and the `.env` file.
 * @returns one entry for each of `EXTERNAL_PROVIDERS`, in their order; none while it is not set.
 * @throws SettingsError if a setting is faulty.
 * @example
 * ```ts
 * await checkProviders({ APP_ENV: 'test' }); // → []
 * ```
 */
export async function checkProviders(source?: SettingSource): Promise<ProviderFacts[]> {
  const { readSomeSettings } = await import('@latchkey/core/internal/settings/read-some-settings');
  // What cannot be read is a fault of these settings, and no other setting is in the way.
  readSomeSettings(['EXTERNAL_PROVIDERS', 'AUTH_BASE_URL', 'PORT'], source);
  const { inspectSettings } = await import('@latchkey/core/internal/settings/inspect-settings');
  const { readable } = inspectSettings({ source });
  const { probeProviders } = await import('../doctor/probes/providers-probe.js');
  return probeProviders(readable.external.providers?.reveal() ?? [], readable.http.baseUrl);
}
