import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.js';

it.each(['ada@example.com', "o'hara@example.com", '`id`@example.com', '$(id)|&;@x.y', '', 'a b', "''", '\\'])(
  'a shell that is given %j as a word gets it back and runs nothing',
  (text) => {
    const line = `printf '%s|' begin ${shellWord(text)} end`;
    expect(execFileSync('/bin/sh', ['-c', line]).toString()).toBe(`begin|${text}|end|`);
  },
);

it('what needs no quotes has none', () => {
  expect(shellWord('ada.l+x@example.com')).toBe('ada.l+x@example.com');
});
