import pg from 'pg';

const parsers = new Map<number, (text: string) => unknown>([
  // 64-bit integers and decimals do not fit a JavaScript number: they stay text. `toCount` reads counts.
  [pg.types.builtins.INT8, (text) => text],
  [pg.types.builtins.NUMERIC, (text) => text],
  [pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text)],
  [pg.types.builtins.JSON, (text) => JSON.parse(text) as unknown],
  [pg.types.builtins.JSONB, (text) => JSON.parse(text) as unknown],
]);

/**
 * The JavaScript types of column values on our connections. pg's own table is one per process and a host app
 * may have changed it; the types our rules depend on are therefore fixed here.
 */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format): unknown => {
    const own = format === 'binary' ? undefined : parsers.get(oid);
    return own ?? pg.types.getTypeParser(oid, format);
  },
};

/** Returns the number in a `count(*)` column, which arrives as text; 0 without a row. */
export function toCount(value: string | number | undefined): number {
  return Number(value ?? 0);
}
