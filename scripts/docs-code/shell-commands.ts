/** One simple command of a shell script, as far as a reader can tell without running it. */
export interface ShellCommand {
  /** Counted from 1, within the script. */
  line: number;
  /** `NAME=value` before it. */
  assignments: string[];
  /** The program and its arguments, without quotes; `$NAME` and `$(…)` stand as written. */
  words: string[];
}

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', 'time', '{', 'exec']);
const CLOSING = new Set(['}', 'fi', 'done', 'esac']);
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The commands of a script in the order they stand, those inside `$(…)` included. */
export function shellCommands(script: string, firstLine = 1): ShellCommand[] {
  return new ShellReader(script, firstLine).read();
}

class ShellReader {
  readonly #script: string;
  readonly #found: ShellCommand[] = [];
  #at = 0;
  #line: number;
  #words: string[] = [];
  #word: string | undefined;
  #isTarget = false;
  #wordLine: number;
  #ends: string[] = [];

  constructor(script: string, firstLine: number) {
    this.#script = script;
    this.#line = firstLine;
    this.#wordLine = firstLine;
  }

  read(): ShellCommand[] {
    while (this.#at < this.#script.length) this.#step(this.#script.charAt(this.#at));
    this.#endCommand();
    return this.#found;
  }

  #step(char: string): void {
    const rest = this.#script.slice(this.#at);
    if (rest.startsWith('\\\n')) this.#skip(2);
    else if (char === '\\') this.#take(rest.charAt(1), 2);
    else if (char === "'") this.#take(...this.#quoted(rest, /^'([^']*)'/));
    else if (char === '"') this.#takeDoubleQuoted(rest);
    else if (rest.startsWith('$(')) this.#takeSubstitution(rest);
    else if (char === '#' && this.#word === undefined) this.#skip(rest.search(/\n|$/));
    else if (char === '\n') this.#endLine();
    else if (/^(<<-?\s*)/.test(rest)) this.#noteHereDocument(rest);
    else if (char === '<' || char === '>') this.#redirect(rest);
    else if (/[;&|()]/.test(char)) this.#separate();
    else if (/\s/.test(char)) this.#blank();
    else this.#take(char, 1);
  }

  #take(text: string, length: number): void {
    if (this.#words.length === 0 && this.#word === undefined) this.#wordLine = this.#line;
    this.#word = (this.#word ?? '') + text;
    this.#skip(length);
  }

  #skip(length: number): void {
    const passed = this.#script.slice(this.#at, this.#at + Math.max(length, 1));
    this.#line += passed.split('\n').length - 1;
    this.#at += passed.length;
  }

  #quoted(rest: string, pattern: RegExp): [string, number] {
    const [whole = rest, inner = ''] = pattern.exec(rest) ?? [];
    return [inner, whole.length];
  }

  #takeDoubleQuoted(rest: string): void {
    const end = closingQuote(rest);
    const inner = rest.slice(1, end);
    for (const { 0: whole, index } of inner.matchAll(/\$\(/g)) {
      const script = inner.slice(index + whole.length, index + closingParenthesis(inner.slice(index)));
      this.#found.push(...shellCommands(script, this.#line + inner.slice(0, index).split('\n').length - 1));
    }
    this.#take(inner.replaceAll(/\\(["\\$`])/g, '$1'), end + 1);
  }

  #takeSubstitution(rest: string): void {
    const end = closingParenthesis(rest);
    this.#found.push(...shellCommands(rest.slice(2, end), this.#line));
    this.#take(rest.slice(0, end + 1), end + 1);
  }

  #noteHereDocument(rest: string): void {
    const [whole = '<<', name = ''] = /^<<-?\s*['"]?(\w+)['"]?/.exec(rest) ?? [];
    this.#endWord();
    this.#ends.push(name);
    this.#skip(whole.length);
  }

  #redirect(rest: string): void {
    if (/^\d$/.test(this.#word ?? '')) this.#word = undefined;
    this.#endWord();
    this.#skip(/^[<>]+&?/.exec(rest)?.[0].length ?? 1);
    this.#isTarget = true;
  }

  #blank(): void {
    this.#endWord();
    this.#skip(1);
  }

  #separate(): void {
    this.#endCommand();
    this.#skip(1);
  }

  #endLine(): void {
    this.#endCommand();
    this.#skip(1);
    for (const name of this.#ends.splice(0)) {
      const end = new RegExp(`^\\s*${name}$`, 'm').exec(this.#script.slice(this.#at));
      this.#skip(end === null ? this.#script.length : end.index + end[0].length + 1);
    }
  }

  #endWord(): void {
    if (this.#word !== undefined && !this.#isTarget) this.#words.push(this.#word);
    if (this.#word !== undefined) this.#isTarget = false;
    this.#word = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    const words = this.#words.splice(0);
    while (words.length > 0 && KEYWORDS.has(words[0]!)) words.shift();
    if (words[0] === 'export') words.shift();
    const first = words.findIndex((word) => !ASSIGNMENT.test(word));
    const assignments = words.splice(0, first === -1 ? words.length : first);
    if (words.length + assignments.length === 0 || CLOSING.has(words[0] ?? '')) return;
    this.#found.push({ line: this.#wordLine, assignments, words });
  }
}

/** Where a text that begins with a double quote ends it. */
function closingQuote(text: string): number {
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith('$(', at)) at += closingParenthesis(text.slice(at));
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** Where a text that begins with `$(` closes it. */
function closingParenthesis(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === "'") at = text.indexOf("'", at + 1);
    else if (char === '"') at += closingQuote(text.slice(at));
    else if (char === '(') depth += 1;
    else if (char === ')' && (depth -= 1) === 0) return at;
    if (at < 0) return text.length;
  }
  return text.length;
}
