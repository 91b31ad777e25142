import { randomUUID } from 'node:crypto';
import type { CoreServiceSettings } from '../../settings/settings.js';

export interface CoreServiceFacts {
  /** Of its answer about a company that there is not. */
  status: number;
  milliseconds: number;
}

/** Asks for the entitlements of a company that nobody has. */
export async function probeCoreService(
  baseUrl: string,
  { apiKey, timeout }: CoreServiceSettings,
): Promise<CoreServiceFacts> {
  const started = performance.now();
  const response = await fetch(`${baseUrl}/internal/companies/${randomUUID()}/entitlements`, {
    headers: {
      accept: 'application/json',
      ...(apiKey !== undefined && { 'x-internal-api-key': apiKey.reveal() }),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout * 1000),
  });
  await response.body?.cancel();
  return { status: response.status, milliseconds: performance.now() - started };
}
