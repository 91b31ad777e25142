import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkPages } from '../../tools/docs/code/check.js';
import { codeBlocks, codeSpans } from '../../tools/docs/code/page.js';
import { shellCommands } from '../../tools/docs/code/shell-commands.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

/** Returns the faults of a page in docs/. */
const faultsOf = (text: string): string[] =>
  checkPages(root, [{ file: 'docs/planted.md', text }]).map(({ line, message }) => `${line}: ${message}`);

const SETTING_UP = "import { createAuth } from '@latchkey/core';\nconst auth = await createAuth(settings);";
const IN_USE = 'console.log((await auth.authenticator.authenticate(token)).userId);';

describe('what is on a page', () => {
  it('blocks have their lines, their language and their notes, and lose the indentation of a list', () => {
    const text = `# A\n\n<!-- code: given auth -->\n\n${fenced('ts', 'auth;')}\n- item\n\n  \`\`\`sh\n  ls\n  \`\`\`\n`;
    expect(codeBlocks({ file: 'a.md', text })).toMatchObject([
      { line: 6, language: 'ts', code: 'auth;', note: 'given auth' },
      { line: 12, language: 'sh', code: 'ls', note: undefined },
    ]);
  });

  it('spans in code blocks are code', () => {
    const text = `Says \`one\` and\n${fenced('sh', 'echo `two`')}then \`three\`.\n`;
    expect(codeSpans({ file: 'a.md', text })).toEqual([
      { span: 'one', line: 1 },
      { span: 'three', line: 5 },
    ]);
  });
});

describe('the commands of a script', () => {
  const read = (script: string) =>
    shellCommands(script).map(({ line, words, assignments }) =>
      [line, ...assignments, '|', ...words].join(' '),
    );

  it.each([
    ['A=1 B="two three" npm start', ['1 A=1 B=two three | npm start']],
    ['curl -d \'{"a": 1}\' \\\n  http://x', ['1 | curl -d {"a": 1} http://x']],
    [
      'ID=$(curl -s x | field .id)\nls',
      ['1 ID=$(curl -s x | field .id) |', '1 | curl -s x', '1 | field .id', '2 | ls'],
    ],
    ['echo "$(one "a b")" # said', ['1 | echo $(one "a b")', '1 | one a b']],
    ['f() { one; two; }', ['1 | one', '1 | two']],
    ['one && two || three > out.txt 2>&1', ['1 | one', '1 | two', '1 | three']],
    ["cat > a <<'EOF'\nnot a command\nEOF\nls", ['1 | cat', '4 | ls']],
    ['for i in 1 2; do one; done', ['1 | one']],
    ['# nothing\n\nexport A=b', ['3 A=b |']],
  ])('%s', (script, commands) => {
    expect(read(script)).toEqual(commands);
  });
});

describe('a page is refused', () => {
  it.each([
    ['JSON that is none', fenced('json', '{ "a": }'), '2: no JSON'],
    ['YAML that is none', fenced('yaml', 'a: [1'), '2: no YAML'],
    ['a shell script with a hole', fenced('sh', 'echo "open'), '2: the shell does not understand it'],
    [
      'a command that does not exist',
      fenced('sh', 'npx latchkey users aprove ann'),
      '2: latchkey users has no command',
    ],
    [
      'an option that does not exist',
      fenced('sh', 'npx latchkey cleanup --run --all'),
      '2: latchkey cleanup has no option',
    ],
    ['half a command', fenced('sh', 'latchkey tokens'), '2: latchkey tokens has no command (none'],
    ['an argument too many', fenced('sh', 'latchkey doctor now'), '2: latchkey doctor takes 0'],
    ['a value that is refused', fenced('sh', 'npx latchkey audit list --limit many'), '2: error: option'],
    [
      'a script that package.json lacks',
      fenced('sh', 'npm run nothing'),
      '2: package.json has no script nothing',
    ],
    [
      'a route that is not served',
      fenced('sh', 'curl -s http://localhost:3097/auth/whoami'),
      '2: nothing is served at GET',
    ],
    [
      'a method that is not served',
      fenced('sh', 'ls\ncurl -d {} http://localhost:3097/auth/me'),
      '3: nothing is served at POST',
    ],
    [
      'a setting that does not exist',
      fenced('sh', 'DATABSE_URL=x npm start'),
      '2: there is no setting DATABSE_URL',
    ],
    ['a file that is not there', fenced('sh', 'node examples/nothing/main.ts'), '2: there is no file'],
    ['a file in the text that is not there', 'See `packages/core/src/nothing.ts`.', '1: there is no file'],
    [
      'a command in the text that does not exist',
      'Run `latchkey users aprove`.',
      '1: latchkey users has no command',
    ],
    ['a script in the text that does not exist', 'Run `npm run nothing`.', '1: package.json has no script'],
    ['a route in the text that is not served', 'Ask `GET /auth/whoami`.', '1: nothing is served at GET'],
  ])('for %s', (_what, text, prefix) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(prefix)]);
  });
});

// In one program: each further one costs seconds.
it('scripts are compiled against the packages, with what is given and no more', () => {
  const blocks: [string, ...string[]][] = [
    [fenced('ts', "import { creatAuth } from '@latchkey/core';"), '2: TS2724'],
    [fenced('js', "import { AuthError } from '@latchkey/core';\nAuthError.no();"), '7: TS2339'],
    [fenced('ts', 'auth.close();'), '11: TS2304'],
    [`<!-- code: given auth -->\n${fenced('js', 'auth.shut();')}`, '16: TS2339'],
    [`<!-- code: whatever -->\n${fenced('ts', '1;')}`, '21: <!-- code: whatever -->'],
    [`<!-- code: given settings -->\n${fenced('ts', SETTING_UP)}`],
    [`<!-- code: continues; given token: string -->\n${fenced('ts', IN_USE)}`],
    [
      fenced(
        'cjs',
        "const { readSettings } = require('@latchkey/core');\nconsole.log(readSettings().dataDir);",
      ),
    ],
    [`<!-- code: continues; given token: number -->\n${fenced('cjs', 'token.length;')}`, '42: TS2339'],
  ];
  const expected = blocks.flatMap(([, ...faults]) =>
    faults.map((fault): unknown => expect.stringContaining(fault)),
  );
  expect(faultsOf(blocks.map(([block]) => block).join('\n'))).toEqual(expected);
}, 60_000);

it('a page on which everything holds is let through', () => {
  const text = [
    'Ask `GET /auth/sessions`, and `DELETE /auth/sessions/{id}`; see `packages/core/src/index.ts`.',
    fenced('sh', 'PORT=3000 npm start\nnpx latchkey users list --json --limit 5 | jq .'),
    fenced('sh', 'curl -X PATCH "http://localhost:3097/internal/admin/users/$ANN?x=1" -d {}'),
    fenced('json', '{ "a": [1] }'),
  ].join('\n');
  expect(faultsOf(text)).toEqual([]);
});
