/** Empties tables, the audit log too, which refuses that unless the transaction says that it is maintenance. */
export const truncate = (...tables: string[]): string =>
  `SET LOCAL latchkey.audit_maintenance = 'on'; TRUNCATE ${tables.join(', ')}`;
