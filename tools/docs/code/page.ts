import MarkdownIt from 'markdown-it';

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
  /** The text of `<!-- code: … -->` before the fence. */
  note: string | undefined;
  /** The text of `<!-- run: … -->` before the fence. */
  run: string | undefined;
}

type Notes = Pick<CodeBlock, 'note' | 'run'>;

const markdown = new MarkdownIt({ html: true });

/** Returns the fenced blocks of a page from top to bottom; a block inside a list loses the list's indentation. */
export function codeBlocks({ file, text }: Page): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let notes = notesIn('');
  for (const { type, info, content, map } of markdown.parse(text, {})) {
    if (type === 'fence') {
      const [language = ''] = info.trim().split(/\s/);
      blocks.push({ file, line: (map?.[0] ?? 0) + 2, language, code: content.replace(/\n$/, ''), ...notes });
    }
    const above = type === 'html_block' ? notesIn(content) : notesIn('');
    notes = type === 'html_block' ? { note: notes.note ?? above.note, run: notes.run ?? above.run } : above;
  }
  return blocks;
}

function notesIn(html: string): Notes {
  const noteOf = (kind: string) => new RegExp(`^ *<!-- ${kind}: (.*?) -->$`, 'm').exec(html.trimEnd())?.[1];
  return { note: noteOf('code'), run: noteOf('run') };
}

/** Returns the texts between backticks outside of code blocks, with their lines. */
export function codeSpans({ text }: Page): { span: string; line: number }[] {
  let line = 1;
  return markdown.parse(text, {}).flatMap(({ map, children }) => {
    if (map) line = map[0] + 1;
    let own = line;
    return (children ?? []).flatMap(({ type, content }) => {
      if (type === 'softbreak' || type === 'hardbreak') own += 1;
      return type === 'code_inline' ? [{ span: content, line: own }] : [];
    });
  });
}
