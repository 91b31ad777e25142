import { bulkMessages as messages } from '../../messages/en/console/shell.js';
import { failureText } from './failure.js';
import { numberText } from './format.js';
import { ask, showProgress, toast, type Answers, type Problem, type Question } from './overlay-store.js';
import { proved } from './perform.js';
import type { Outcome } from './use-query.js';

/** An action on several records. */
interface Bulk<Item> {
  question: Question;
  items: readonly Item[];
  nameOf: (item: Item) => string;
  request: (item: Item, answers: Answers) => Promise<Outcome<unknown>>;
  /** Returns the text for when all is done. */
  done: (count: string) => string;
}

/**
 * Asks, then takes an action on one record after the other: each is judged, and written to the audit log, by itself. What failed is
 * listed, and can be tried again.
 * @returns whether it was taken on any.
 */
export async function confirmedForAll<Item>(bulk: Bulk<Item>): Promise<boolean> {
  let open: readonly Item[] = bulk.items;
  let doneCount = 0;
  const isDone = await ask(bulk.question, async (answers) => {
    const round = await takeEach(bulk, open, answers);
    doneCount += open.length - round.open.length;
    open = round.open;
    return open.length === 0 ? undefined : round.problem;
  });
  if (isDone) toast(bulk.done(numberText(doneCount)));
  return doneCount > 0;
}

interface Round<Item> {
  /** The records on which the action was not taken. */
  open: readonly Item[];
  problem: Problem;
}

async function takeEach<Item>(
  { nameOf, request }: Bulk<Item>,
  items: readonly Item[],
  answers: Answers,
): Promise<Round<Item>> {
  const failed: Item[] = [];
  const lines: string[] = [];
  try {
    for (const [index, item] of items.entries()) {
      showProgress({ done: index, total: items.length });
      const outcome = await proved(() => request(item, answers));
      // Without the proof of identity no other record could follow either.
      if (!outcome)
        return { open: [...failed, ...items.slice(index)], problem: problemOf(lines, items.length) };
      if (outcome.ok) continue;
      failed.push(item);
      lines.push(messages.failure(nameOf(item), failureText(outcome.error)));
    }
  } finally {
    showProgress(undefined);
  }
  return { open: failed, problem: problemOf(lines, items.length) };
}

const problemOf = (lines: readonly string[], of: number): Problem =>
  lines.length === 0
    ? { text: messages.stopped }
    : { text: messages.failed(numberText(lines.length), numberText(of)), lines };
