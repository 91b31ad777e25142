import type { BenchEnvironment } from '../support/environment.js';
import type { Contestant } from '../support/group.js';
import type { ClosedLoad } from '../support/load.js';
import { meterLoad } from '../support/meter.js';
import { seedMinimalRefresh } from '../support/seed.js';

/** Name of the contestant that `minimalRefresh` starts. */
export const MINIMAL_REFRESH = 'one UPDATE and one signature on Express';
const MINIMAL_SERVER = new URL('../servers/minimal-refresh-server.ts', import.meta.url);

/** Starts the least that a refresh does whose token is valid once: one row that is committed, and one signature. */
export async function minimalRefresh(
  environment: BenchEnvironment,
  connections: number,
): Promise<Contestant> {
  const ids = await environment.sql((client) => seedMinimalRefresh(client, connections));
  const { url, pid } = await environment.startChild(MINIMAL_SERVER, {
    env: { DATABASE_URL: environment.postgres.url },
  });
  const load = (seconds: number): ClosedLoad => ({
    kind: 'closed',
    url: `${url}/refresh`,
    method: 'POST',
    variants: ids.map((id) => ({ body: JSON.stringify({ id }) })),
    connections,
    seconds,
  });
  return {
    name: MINIMAL_REFRESH,
    run: (seconds) => meterLoad(environment.driver, environment.withPostgres(pid), load(seconds)),
  };
}
