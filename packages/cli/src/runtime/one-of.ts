import { CommandError, EXIT } from './failure.js';
import { printable } from './printable.js';
import type { Prompts } from './prompts.js';

/** How many candidates are named at most. */
const MOST = 10;
/** How many to look for: one more tells that there are more. */
export const CANDIDATES = MOST + 1;

/** Why a prefix may have to be long, for help texts. */
export const ABOUT_IDS =
  'Ids made within a minute of each other share their first 8 digits or more: paste the whole id when in doubt.';

/** What a text on the command line may stand for. */
export interface Kind<T> {
  singular: string;
  plural: string;
  /** The command that lists them. */
  list: string;
  /** Enough of it to tell it from the others. */
  describe: (item: T) => string;
  /** How several are told of, and what to do then; unless given, they begin with the text and more of it helps. */
  relation?: string;
  remedy?: string;
}

/**
 * The one thing that `given` names; a person chooses when there are several.
 * @throws CommandError when there is none, or several and nobody to ask.
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
