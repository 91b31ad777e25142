import type { ServiceProcess } from '../../../test/support/service-process.js';
import type { BenchEnvironment } from '../environment.js';

const CORE_SERVICE = new URL('../../servers/core-service-server.ts', import.meta.url);

/** The servers of a run, and a service that offers all routes. */
export interface ScaleTarget {
  environment: BenchEnvironment;
  service: ServiceProcess;
  machineKey: string;
}

/** Starts a service with entitlements and passkeys. */
export async function startTarget(environment: BenchEnvironment): Promise<ScaleTarget> {
  const core = await environment.startChild(CORE_SERVICE, { env: {} });
  const service = await environment.startService({
    CORE_BASE_URL: core.url,
    CORE_INTERNAL_API_KEY: 'bench-core-key-0123456789',
    ENTITLEMENTS_CACHE_TTL: '30',
    PASSKEYS_ENABLED: 'true',
    WEBAUTHN_RP_ID: 'localhost',
    WEBAUTHN_ORIGINS: 'http://localhost:3097',
  });
  return { environment, service, machineKey: environment.settings.AUTH_INTERNAL_API_KEY ?? '' };
}
