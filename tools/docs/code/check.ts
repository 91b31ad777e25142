import { dataFaults } from './data-blocks.js';
import type { Fault } from './fault.js';
import { codeBlocks, type Page } from './page.js';
import { scriptFaults } from './script-blocks.js';
import { shellFaults } from './shell-blocks.js';
import { spanFaults } from './span-faults.js';

/** Everything on the pages that does not hold, in the order of the pages. */
export function checkPages(root: string, pages: readonly Page[]): Fault[] {
  const blocks = pages.flatMap(codeBlocks);
  const faults = [
    ...scriptFaults(root, blocks),
    ...shellFaults(root, blocks),
    ...dataFaults(blocks),
    ...spanFaults(root, pages),
  ];
  return faults.toSorted((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
}
