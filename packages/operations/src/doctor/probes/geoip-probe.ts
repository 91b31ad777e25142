/** The database of places by IP address. */
export interface GeoipFacts {
  path: string;
  type: string;
  builtAt: Date;
}

/** Reads the database. Throws an error with the reason if it cannot be used. */
export async function probeGeoip(path: string): Promise<GeoipFacts> {
  const { GeoipDatabase } = await import('@latchkey/core/internal/geoip/geoip-database');
  try {
    const { type, builtAt } = await GeoipDatabase.open(path);
    return { path, type, builtAt };
  } catch (error) {
    throw new Error(`${path} ${(error as Error).message}`, { cause: error });
  }
}
