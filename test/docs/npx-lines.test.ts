import { expect, it } from 'vitest';
import { readText, repositoryFiles } from '../../tools/shared/repository-files.mjs';

const pages = repositoryFiles()
  .filter((file) => file.endsWith('.md') && !file.startsWith('docs/decisions/') && file !== 'CHANGELOG.md')
  .map((file) => ({ file, text: readText(file) }));

const INSTALLS_CLI = /cli\.md#installation|^## Installation$|npm install .*@latchkey\/cli|^npm ci$/m;

// Where the package is not installed, npx runs whatever the registry has under the name latchkey.
it('every page that runs npx latchkey states before it where the command line is installed', () => {
  const faults = pages.filter(({ text }) => {
    const first = text.search(/npx latchkey(?![\w-])/);
    const isWarning = text.includes('would run whatever is registered under that name');
    return first >= 0 && !isWarning && !INSTALLS_CLI.test(text.slice(0, first + 200));
  });
  expect(faults.map(({ file }) => file)).toEqual([]);
});

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
