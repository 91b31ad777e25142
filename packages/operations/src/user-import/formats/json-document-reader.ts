import type * as StreamParser from '@streamparser/json';
import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { checkedEntry, mayHaveEscapes } from './checked-entry.js';
import type { SourceEntry } from './source-entry.js';
import {
  type EntryReader,
  faultsOf,
  MAX_ENTRY_BYTES,
  MAX_OPEN_BYTES,
  type SourceFile,
} from './source-file.js';
import type { SourceFormat } from './source-format.js';
import { isSourceObject } from './source-object.js';
import { REPLACEMENT, WholeCharacters } from './whole-characters.js';

const FAULTS = faultsOf('entry');
/** Deeper values are no users, and could exhaust the stack of code that reads them. */
const MAX_DEPTH = 100;
/** A buffer for the text that is read: faster than joining its characters. */
const TEXT_BUFFER_BYTES = 64 * 1024;

interface JsonDocument {
  readonly format: SourceFormat;
  readonly file: SourceFile;
  /** Reports whether the document is the list of users itself. */
  readonly isList: boolean;
}

const pathsOf = ({ format: { lists = [] }, isList }: JsonDocument): string[] =>
  isList ? ['$.*'] : lists.map((name) => `$.${name}.*`);

/** A value of the list, with its length in the file. */
interface FoundValue {
  readonly value: unknown;
  readonly bytes: number;
}

/** Reads one JSON document: a list of users, or an object with the list in a property. Users are passed on one by one. */
export class JsonDocumentReader implements EntryReader {
  readonly #document: JsonDocument;
  readonly #characters = new WholeCharacters();
  readonly #types: (typeof StreamParser)['TokenType'];
  readonly #tokens: StreamParser.Tokenizer;
  readonly #values: StreamParser.TokenParser;
  /** The number of brackets around a value of the list. */
  readonly #listDepth: number;
  #found: FoundValue[] = [];
  #number = 0;
  #depth = 0;
  #hasList: boolean;
  #hasEscapes = false;
  /** Positions in bytes: of all that was read, of the last token, and of the first token of the last value. */
  #read = 0;
  #token = 0;
  #valueStart = 0;

  /** Loads the library on first use. */
  static async create(document: JsonDocument): Promise<JsonDocumentReader> {
    return new JsonDocumentReader(document, await import('@streamparser/json'));
  }

  private constructor(document: JsonDocument, library: typeof StreamParser) {
    this.#document = document;
    this.#types = library.TokenType;
    this.#hasList = document.isList;
    this.#listDepth = document.isList ? 1 : 2;
    this.#values = new library.TokenParser({ paths: pathsOf(document), keepStack: false });
    this.#values.onValue = ({ value }) => {
      this.#found.push({ value, bytes: this.#token - this.#valueStart });
    };
    this.#tokens = new library.Tokenizer({ stringBufferSize: TEXT_BUFFER_BYTES });
    this.#tokens.onToken = (token) => {
      this.#follow(token);
      this.#values.write(token);
    };
  }

  push(chunk: Buffer, entries: SourceEntry[]): void {
    this.#hasEscapes ||= mayHaveEscapes(chunk);
    const text = this.#characters.push(chunk);
    this.#read += text.length;
    this.#parse(entries, () => this.#tokens.write(text));
    if (this.#read - this.#token > MAX_OPEN_BYTES) throw this.#tooLong();
  }

  end(entries: SourceEntry[]): void {
    this.#parse(entries, () => {
      this.#tokens.write(this.#characters.end());
      if (!this.#values.isEnded) throw this.#endsEarly();
      this.#tokens.end();
    });
    if (this.#hasList) return;
    throw this.#error(`has no list of users: no property ${this.#listNames.join(' or ')}.`);
  }

  /** Adds the values that become complete, also those before an error. */
  #parse(entries: SourceEntry[], work: () => void): void {
    try {
      work();
    } catch (error) {
      throw AuthError.is(error) ? error : this.#invalid();
    } finally {
      for (const found of this.#found) entries.push(this.#entryOf(found));
      this.#found = [];
    }
  }

  #follow({ token, value, offset }: StreamParser.ParsedTokenInfo): void {
    const types = this.#types;
    this.#token = offset;
    if (token === types.RIGHT_BRACE || token === types.RIGHT_BRACKET) this.#depth--;
    else if (this.#depth === this.#listDepth) this.#valueStart = offset;
    else if (this.#depth === 1 && !this.#hasList) this.#hasList = this.#listNames.includes(String(value));
    if (token === types.LEFT_BRACE || token === types.LEFT_BRACKET) this.#depth++;
    if (this.#depth > MAX_DEPTH) throw this.#error('is not an export of users: it is nested too deeply.');
    if (offset - this.#valueStart > MAX_OPEN_BYTES && this.#depth > this.#listDepth) throw this.#tooLong();
  }

  get #listNames(): readonly string[] {
    return this.#document.format.lists ?? [];
  }

  #error(message: string): AuthError {
    return this.#document.file.error(message);
  }

  #entryOf({ value, bytes }: FoundValue): SourceEntry {
    const position = ++this.#number;
    const fault = this.#faultOf(value, bytes);
    if (fault !== undefined) return { position, fault };
    if (!isSourceObject(value)) return { position, fault: FAULTS.notObject };
    const user = this.#document.format.mapUser(value);
    return this.#hasEscapes ? checkedEntry(position, user) : { position, ...user };
  }

  #faultOf(value: unknown, bytes: number): string | undefined {
    if (bytes > MAX_ENTRY_BYTES) return FAULTS.tooLong;
    const isDamaged = this.#characters.hasReplaced && JSON.stringify(value).includes(REPLACEMENT);
    return isDamaged ? FAULTS.notUtf8 : undefined;
  }

  #invalid(): AuthError {
    return this.#error(
      this.#values.isEnded
        ? `has text after the end of the JSON document, near byte ${this.#token}.`
        : `is not valid JSON near byte ${this.#token}, after ${this.#count()}. Export it again.`,
    );
  }

  #endsEarly(): AuthError {
    return this.#error(`ends in the middle of the JSON document, after ${this.#count()}. Export it again.`);
  }

  #tooLong(): AuthError {
    return this.#error(
      `has a value of more than 16 MiB near byte ${this.#token}. Check that it is an export of users.`,
    );
  }

  #count(): string {
    const users = this.#number + this.#found.length;
    return users === 1 ? '1 user' : `${users} users`;
  }
}
