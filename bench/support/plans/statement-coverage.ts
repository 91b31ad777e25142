import type { DeclaredStatement } from './declared-statements.js';

/**
 * Returns the faults of a run: statements that were declared, but neither seen nor named with a reason, and reasons for
 * statements that were seen or do not exist.
 */
export function coverageFaults(
  declared: readonly DeclaredStatement[],
  seen: ReadonlySet<string>,
  reasons: Readonly<Record<string, string>>,
): string[] {
  const wasSeen = ({ matches }: DeclaredStatement): boolean => [...seen].some(matches);
  const missing = declared.filter((one) => !wasSeen(one) && !(one.name in reasons));
  const idle = Object.keys(reasons).filter((name) => {
    const statement = declared.find((one) => one.name === name);
    return !statement || wasSeen(statement);
  });
  return [
    ...missing.map(
      ({ name, file }) =>
        `${name} (${file}) was not run: add a lookup in bench/support/plans, or a reason in unseen-statements.ts.`,
    ),
    ...idle.map((name) => `${name} was run or is not declared: remove its reason in unseen-statements.ts.`),
  ];
}
