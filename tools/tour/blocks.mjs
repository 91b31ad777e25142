import { readText } from '../shared/repository-files.mjs';

/** Returns the blocks of a page that are run or compared, in order. */
export function blocksOf({ file, section }) {
  const lines = readText(file).split('\n');
  const first = section === undefined ? 0 : lines.indexOf(`## ${section}`);
  if (first === -1) throw new Error(`${file} has no section "${section}"`);
  const next =
    section === undefined ? -1 : lines.findIndex((line, at) => at > first && line.startsWith('## '));
  const blocks = [];
  for (let at = first; at < (next === -1 ? lines.length : next); at += 1) {
    const [, language] = /^```(\w+)$/.exec(lines[at - 1] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at);
    blocks.push({
      language,
      line: at + 1,
      code: lines.slice(at, end).join('\n'),
      run: noteAbove(lines, at - 2),
    });
    at = end;
  }
  return blocks.filter((block) => block.run !== 'not' && (block.run || /^(sh|json)$/.test(block.language)));
}

function noteAbove(lines, at) {
  while (lines[at]?.trim() === '') at -= 1;
  return /^<!-- run: (.*) -->$/.exec(lines[at] ?? '')?.[1];
}
