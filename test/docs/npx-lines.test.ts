import { expect, it } from 'vitest';
import { readText, repositoryFiles } from '../../tools/shared/repository-files.mjs';

const pages = repositoryFiles()
  .filter((file) => file.endsWith('.md') && !file.startsWith('docs/decisions/') && file !== 'CHANGELOG.md')
  .map((file) => ({ file, text: readText(file) }));

const PROGRAMS = [
  {
    program: 'latchkey',
    line: /npx latchkey(?![\w-])/,
    installs: /cli\.md#installation|^## Installation$|npm install .*@latchkey\/cli|^npm ci$/m,
  },
  {
    program: 'latchkey-server',
    line: /npx latchkey-server(?![\w-])/,
    installs: /npm install .*@latchkey\/server|^npm ci$/m,
  },
];

// Where the package is not installed, npx runs whatever the registry has under the name of the program.
it.each(PROGRAMS)(
  'every page that runs npx $program states before it where the program is installed',
  ({ line, installs }) => {
    const faults = pages.filter(({ text }) => {
      const first = text.search(line);
      const isWarning = text.includes('would run whatever is registered under that name');
      return first >= 0 && !isWarning && !installs.test(text.slice(0, first + 200));
    });
    expect(faults.map(({ file }) => file)).toEqual([]);
  },
);

it('the install lines of the recipes name every package of Latchkey that their code imports', () => {
  const sections = readText('docs/hosts.md').split(/^## /m);
  const faults = sections.flatMap((section) => {
    const installed = [...section.matchAll(/npm install (.*)$/gm)].map(([, line]) => line ?? '').join(' ');
    if (!installed.includes('@latchkey/')) return [];
    const used = [...section.matchAll(/from '(@latchkey\/[a-z-]+)/g)].map(([, name]) => name ?? '');
    return used
      .filter((name) => !installed.split(' ').includes(name))
      .map((name) => `${section.slice(0, 20)}: ${name}`);
  });
  expect(faults).toEqual([]);
});
