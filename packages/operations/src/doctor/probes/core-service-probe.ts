import { randomUUID } from 'node:crypto';
import type { Settings } from '@latchkey/core/internal/settings/settings';

export interface CoreServiceFacts {
  /** Status of the response for an unknown company. */
  status: number;
  milliseconds: number;
}

/** Requests the entitlements of a company that does not exist. */
export async function probeCoreService(
  baseUrl: string,
  { apiKey, timeout }: Settings['coreService'],
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
