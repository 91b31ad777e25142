import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.js';

it.each(['ada@example.com', "o'hara@example.com", '`id`@example.com', '$(id)|&;@x.y', '', 'a b', "''", '\\'])(
  'a shell returns the quoted word %j unchanged and runs nothing',
  (text) => {
    const line = `printf '%s|' begin ${shellWord(text)} end`;
    expect(execFileSync('/bin/sh', ['-c', line]).toString()).toBe(`begin|${text}|end|`);
  },
);

it('a plain word is not quoted', () => {
  expect(shellWord('ada.l+x@example.com')).toBe('ada.l+x@example.com');
});
