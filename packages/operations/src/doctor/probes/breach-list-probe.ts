import { FilterFile } from '@latchkey/core/internal/passwords/breach-list/filter-file';
import { reasonOfUnusable } from '@latchkey/core/internal/passwords/breach-list/unusable-list';

/** The list of breached passwords. */
export interface BreachListFacts {
  path: string;
  entries: number;
  builtAt: Date;
}

/** Blocks of 4 KiB that are checked, from the first to the last. */
const CHECKED_BLOCKS = 512;

/** Opens the list and checks some of it. Throws an error with the reason if it cannot be used. */
export async function probeBreachList(path: string): Promise<BreachListFacts> {
  try {
    const file = await FilterFile.open(path);
    try {
      await file.checkBlocks(CHECKED_BLOCKS);
    } finally {
      await file.close();
    }
    const { entries, builtAt } = file.header;
    return { path, entries, builtAt };
  } catch (error) {
    throw new Error(`${path} ${reasonOfUnusable(error)}`, { cause: error });
  }
}
