import { isUtf8 } from 'node:buffer';
import { LineSplitter } from '../../breach-list/line-splitter.js';
import { checkedEntry } from './checked-entry.js';
import type { SourceEntry } from './source-entry.js';
import { type EntryReader, faultsOf, MAX_ENTRY_BYTES } from './source-file.js';
import type { UserMapper } from './source-format.js';
import { isSourceObject, type SourceObject } from './source-object.js';

const FAULTS = faultsOf('line');

/** Reads files with a JSON object on each line (https://jsonlines.org). Blank lines are skipped. */
export class JsonLinesReader implements EntryReader {
  readonly #mapUser: UserMapper;
  readonly #splitter: LineSplitter;
  #entries: SourceEntry[] = [];
  #line = 0;

  constructor(mapUser: UserMapper) {
    this.#mapUser = mapUser;
    this.#splitter = new LineSplitter((bytes, start, end) => {
      this.#line++;
      if (end > start) this.#read(bytes, start, end);
    }, MAX_ENTRY_BYTES);
  }

  push(chunk: Buffer, entries: SourceEntry[]): void {
    this.#entries = entries;
    this.#splitter.push(chunk);
  }

  end(entries: SourceEntry[]): void {
    this.#entries = entries;
    this.#splitter.end();
  }

  #read(bytes: Buffer, start: number, end: number): void {
    const line = bytes.subarray(start, end);
    if (line.length > MAX_ENTRY_BYTES) this.#fault(FAULTS.tooLong);
    else if (!isUtf8(line)) this.#fault(FAULTS.notUtf8);
    else this.#parse(line.toString('utf8'));
  }

  #parse(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (text.trim() !== '') this.#fault(text.includes('\0') ? FAULTS.hasNul : FAULTS.notJson);
      return;
    }
    if (isSourceObject(value)) this.#add(value, text);
    else this.#fault(FAULTS.notObject);
  }

  #add(source: SourceObject, text: string): void {
    const user = this.#mapUser(source);
    // Only an escape makes a text that cannot be stored, and few lines have one.
    const entry = text.includes('\\u') ? checkedEntry(this.#line, user) : { position: this.#line, ...user };
    this.#entries.push(entry);
  }

  #fault(fault: string): void {
    this.#entries.push({ position: this.#line, fault });
  }
}
