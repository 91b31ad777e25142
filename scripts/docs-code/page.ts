/** A Markdown file. */
export interface Page {
  /** From the repository's root, with slashes. */
  file: string;
  text: string;
}

/** A fenced block of code on a page. */
export interface CodeBlock {
  file: string;
  /** Of its first line of code, counted from 1. */
  line: number;
  /** The word after the fence: `ts`, `sh`, … */
  language: string;
  code: string;
  /** What `<!-- code: … -->` before the fence says of it. */
  note: string | undefined;
  /** What `<!-- run: … -->` before the fence says of it. */
  run: string | undefined;
}

const FENCE = /^( *)(`{3,}|~{3,})\s*(\S*)/;
const COMMENT = /^ *<!-- (code|run): (.*?) -->$/;

/** The code blocks of a page, from top to bottom; a block inside a list loses the list's indentation. */
export function codeBlocks({ file, text }: Page): CodeBlock[] {
  const lines = text.split('\n');
  const blocks: CodeBlock[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, fence, language = ''] = FENCE.exec(lines[at]!) ?? [];
    if (fence === undefined || indent === undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line.trim() === fence);
    const body = lines.slice(at + 1, end === -1 ? undefined : end);
    const code = body.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n');
    blocks.push({ file, line: at + 2, language, code, ...notesAbove(lines, at) });
    if (end === -1) break;
    at = end;
  }
  return blocks;
}

function notesAbove(lines: readonly string[], fence: number): Pick<CodeBlock, 'note' | 'run'> {
  const notes: Pick<CodeBlock, 'note' | 'run'> = { note: undefined, run: undefined };
  for (let at = fence - 1; at >= 0; at -= 1) {
    const line = lines[at]!;
    const [, kind, text] = COMMENT.exec(line) ?? [];
    if (kind === undefined && line.trim() !== '') break;
    if (kind === 'code') notes.note = text;
    if (kind === 'run') notes.run = text;
  }
  return notes;
}

/** The texts between single backticks outside of code blocks, with their lines. */
export function codeSpans({ text }: Page): { span: string; line: number }[] {
  let fence: string | undefined;
  return text.split('\n').flatMap((content, index) => {
    const [, , found] = FENCE.exec(content) ?? [];
    if (fence !== undefined) {
      if (content.trim() === fence) fence = undefined;
      return [];
    }
    fence = found;
    if (found !== undefined) return [];
    return [...content.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, span]) => ({
      span: span!,
      line: index + 1,
    }));
  });
}
