import { CommandError, EXIT } from './failure.js';
import { printable } from './printable.js';
import type { Prompts } from './prompts.js';

/** The number of candidates to list at most. */
const MOST = 10;
/** The number of candidates to look for: one more than listed shows that there are more. */
export const CANDIDATES = MOST + 1;

/** Explains why few characters may be ambiguous, for help texts. */
export const ABOUT_IDS =
  'Ids created within a minute of each other share their first 8 digits or more: if in doubt, give the whole id.';

/** A kind of object that the command line names by id or first characters. */
export interface Kind<T> {
  singular: string;
  plural: string;
  /** The command that lists them. */
  list: string;
  /** Returns a line that distinguishes it from the others. */
  describe: (item: T) => string;
  /** The wording if several match. Defaults to "begin with", and the advice to give more of it. */
  relation?: string;
  remedy?: string;
}

/**
 * Returns the one candidate that `given` names; on a terminal, asks which one if several match.
 * @throws CommandError if none matches, or several match without a terminal.
 */
export async function oneOf<T>(
  given: string,
  candidates: readonly T[],
  kind: Kind<T>,
  prompts: Prompts,
): Promise<T> {
  const [first, ...others] = candidates;
  if (first === undefined) {
    throw new CommandError(EXIT.notFound, `There is no ${kind.singular} ${given}.`, `See: ${kind.list}`);
  }
  if (others.length === 0) return first;
  const count = candidates.length > MOST ? `More than ${MOST}` : candidates.length;
  const { plural, relation = 'begin with', remedy = 'Give more of it.' } = kind;
  const message = `${count} ${plural} ${relation} "${given}":`;
  if (prompts.canAsk && candidates.length <= MOST) return choose(message, candidates, kind, prompts);
  const named = candidates.slice(0, MOST).map((candidate) => `  ${printable(kind.describe(candidate))}`);
  throw CommandError.usage([message, ...named].join('\n'), remedy);
}

const choose = <T>(
  message: string,
  candidates: readonly T[],
  { singular, describe }: Kind<T>,
  prompts: Prompts,
): Promise<T> =>
  prompts.choice(
    message,
    candidates.map((value) => ({ value, name: printable(describe(value)) })),
    `<${singular}>`,
  );
