import { MAX_ENTRY_BYTES, type SourceFile } from './source-file.js';
import type { Layout, SourceFormat } from './source-format.js';
import { isSourceObject } from './source-object.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 10;
const [OPEN_BRACE, OPEN_BRACKET] = [0x7b, 0x5b];

/** The first bytes of files that are no text, and how to fix them. */
const NO_TEXT: readonly (readonly [Buffer, string])[] = [
  [Buffer.from([0x1f, 0x8b]), 'is compressed. Unpack it first, as with gunzip.'],
  [Buffer.from([0x50, 0x4b, 3, 4]), 'is an archive. Unpack it first.'],
  [Buffer.from([0xff, 0xfe]), 'is UTF-16. Save it as UTF-8.'],
  [Buffer.from([0xfe, 0xff]), 'is UTF-16. Save it as UTF-8.'],
  [Buffer.from('-----BEGIN PGP'), 'is encrypted. Decrypt it first, as with gpg --decrypt.'],
];

/**
 * Returns the first bytes of a file, without a byte order mark: the whole first line with text, unless it is longer than
 * a user may be.
 */
export async function readHead(chunks: AsyncIterator<Buffer | string>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length <= MAX_ENTRY_BYTES && !endsFirstLine(head)) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, bytesOf(next.value)]);
  }
  return withoutMark(head);
}

export const bytesOf = (chunk: Buffer | string): Buffer =>
  typeof chunk === 'string' ? Buffer.from(chunk) : chunk;

const withoutMark = (head: Buffer): Buffer =>
  head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? head.subarray(BYTE_ORDER_MARK.length)
    : head;

function endsFirstLine(head: Buffer): boolean {
  const end = head.lastIndexOf(LINE_FEED);
  return end >= 0 && firstText(withoutMark(head.subarray(0, end))) >= 0;
}

/** Returns the position of the first byte that is no white space, or -1. */
const firstText = (bytes: Buffer): number => bytes.findIndex((byte) => byte > 0x20);

/** Returns the first line with text, without the spaces around it. */
export const firstLine = (head: Buffer): string =>
  head.toString('utf8').trimStart().split('\n', 1)[0]?.trim() ?? '';

/**
 * Returns the layout of a file by its first bytes.
 * @throws AuthError `validation_error` for a file that is none of the format.
 */
export function layoutOf(head: Buffer, format: SourceFormat, file: SourceFile): Layout {
  for (const [start, fix] of NO_TEXT) {
    if (head.subarray(0, start.length).equals(start)) throw file.error(fix);
  }
  const { layouts } = format;
  const first = head[firstText(head)];
  // An export of no user is an empty file, if each line is one.
  if (first === undefined && layouts.some((layout) => layout !== 'lines'))
    throw file.error('is empty. Export it again.');
  if (first === OPEN_BRACKET && layouts.includes('document')) return 'document';
  if (first === OPEN_BRACKET && layouts.includes('lines')) {
    throw file.error(`is one JSON document. Write each user on a line of its own, as with jq -c '.[]'.`);
  }
  if (first === OPEN_BRACE && layouts.some((layout) => layout !== 'csv')) return objectLayout(head, format);
  if (layouts.includes('csv')) return 'csv';
  if (layouts.includes('lines')) return 'lines';
  throw file.error('is not JSON. Export it again as JSON.');
}

/** A file whose first line is an object of its own, and not one that holds the users, has an object on each line. */
function objectLayout(head: Buffer, { layouts, lists = [] }: SourceFormat): Layout {
  if (!layouts.includes('document')) return 'lines';
  if (!layouts.includes('lines')) return 'document';
  const line = firstLine(head);
  try {
    const value: unknown = JSON.parse(line);
    return isSourceObject(value) && lists.some((name) => Array.isArray(value[name])) ? 'document' : 'lines';
  } catch {
    // A line that is broken off is one of a document that is written over several lines.
    return line.endsWith('}') ? 'lines' : 'document';
  }
}
