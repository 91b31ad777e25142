import type { GeoipDatabase, Places } from '../geoip/geoip-database.js';
import type { Logger } from '../kernel/logger.js';
import { SettingsError } from '../settings/setting-fault.js';
import type { Settings } from '../settings/settings.js';

/**
 * Reads the database of `GEOIP_DATABASE`; undefined if none is configured.
 * @throws SettingsError if the file is missing, no MaxMind DB or without cities and countries.
 */
export async function openGeoip({ sessions }: Settings): Promise<GeoipDatabase | undefined> {
  const { geoipDatabase: path } = sessions;
  if (path === undefined) return undefined;
  const { GeoipDatabase: Database } = await import('../geoip/geoip-database.js');
  try {
    return await Database.open(path);
  } catch (error) {
    const found = `${path}, which ${(error as Error).message}`;
    throw new SettingsError([{ name: 'GEOIP_DATABASE', found, expected: EXPECTED, fix: FIX }]);
  }
}

const EXPECTED = 'the path of a City or Country database in the MaxMind DB format (.mmdb)';
const FIX = 'download GeoLite2 City or DB-IP City Lite, or remove GEOIP_DATABASE';

/**
 * Returns the places for commands. The database is read when one of them lists sessions; while it cannot be, they have no places,
 * since operators must be able to end sessions.
 */
export function lazyPlaces(settings: Settings, logger: Logger): Places {
  let opened: ReturnType<typeof openGeoip> | undefined;
  return () => (opened ??= openGeoip(settings).catch((error: unknown) => reportUnusable(error, logger)));
}

function reportUnusable(error: unknown, logger: Logger): undefined {
  const reason = error instanceof SettingsError ? error.faults[0]?.found : String(error);
  logger.warn({ reason }, `sessions are shown without their place: GEOIP_DATABASE is ${reason}`);
}
