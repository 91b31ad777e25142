/**
 * Returns the SQL of a session's level. Rows of versions without the column have none: there a passkey was the
 * only second factor.
 */
export const sessionLevel = (alias: string): string =>
  `coalesce(${alias}.acr, CASE WHEN 'hwk' = ANY(${alias}.amr) THEN 'aal2' ELSE 'aal1' END)`;
