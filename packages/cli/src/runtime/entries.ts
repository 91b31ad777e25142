import { tabbed } from './tabbed.js';
import type { TableSpace } from './table.js';
import { toJson, toJsonLine } from './to-json.js';

/** The formats of one entry of a stream. */
export interface EntryFormat<T> {
  /** Returns the entry as JSON holds it. */
  view: (item: T) => unknown;
  /** The tab-separated fields of a line without a terminal. */
  fields: (item: T) => readonly unknown[];
  id: (item: T) => string;
  /** Returns the lines for a person: one, and a heading in front if it differs from that of the entry above. */
  lines: (item: T, space: TableSpace, above: T | undefined) => string[];
}

export interface EntryOutlet {
  form: 'json' | 'json lines' | 'ids' | 'people' | 'tabs';
  space: TableSpace;
  print: (text: string) => void;
}

/** Prints entries page by page, so that a list need not fit into memory. */
export async function printEntries<T>(
  pages: AsyncIterable<readonly T[]>,
  format: EntryFormat<T>,
  outlet: EntryOutlet,
): Promise<void> {
  if (outlet.form === 'json') return printArray(pages, format, outlet);
  const inOneLine = lineMaker(format, { ...outlet, form: outlet.form });
  for await (const page of pages) for (const item of page) outlet.print(inOneLine(item));
}

function lineMaker<T>(
  { view, fields, id, lines }: EntryFormat<T>,
  { form, space }: EntryOutlet & { form: Exclude<EntryOutlet['form'], 'json'> },
): (item: T) => string {
  switch (form) {
    case 'json lines':
      return (item) => toJsonLine(view(item));
    case 'ids':
      return id;
    case 'people':
      return linesAfterEachOther(lines, space);
    case 'tabs':
      return (item) => tabbed(fields(item));
  }
}

function linesAfterEachOther<T>(lines: EntryFormat<T>['lines'], space: TableSpace): (item: T) => string {
  let above: T | undefined;
  return (item) => {
    const text = lines(item, space, above).join('\n');
    above = item;
    return text;
  };
}

/** Prints the same text as `JSON.stringify` of the whole array. An entry gets its comma once the next one is there. */
async function printArray<T>(
  pages: AsyncIterable<readonly T[]>,
  { view }: EntryFormat<T>,
  { print }: EntryOutlet,
): Promise<void> {
  let last: string | undefined;
  for await (const page of pages) {
    for (const item of page) {
      print(last === undefined ? '[' : `${last},`);
      last = indented(toJson(view(item)));
    }
  }
  print(last === undefined ? '[]' : `${last}\n]`);
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
