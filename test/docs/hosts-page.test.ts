import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RECIPES } from '../../tools/hosts/recipes.mjs';
import { readText, repositoryFiles } from '../../tools/shared/repository-files.mjs';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const PAGE = readText('docs/hosts.md');

/** The text of each section by its heading. */
const sections = new Map(
  PAGE.split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text]),
);
const manifestOf = (name: string): Manifest =>
  JSON.parse(readText(`test/hosts/${name}/package.json`)) as Manifest;
const versionsOf = (name: string): Record<string, string> => {
  const { dependencies, devDependencies } = manifestOf(name);
  return { ...dependencies, ...devDependencies };
};

describe('the page of hosts', () => {
  it('has no section with files or commands that hosts:try passes over', () => {
    const withFiles = [...sections].filter(([, text]) => text.includes('<!-- run: file'));
    const tried = new Set(RECIPES.map(({ section }) => section));
    expect(withFiles.map(([heading]) => heading)).toEqual([...tried]);
  });

  it.each(RECIPES)('names the versions that $name is tried with', ({ name, section, tried }) => {
    const text = sections.get(section) ?? '';
    for (const dependency of tried) {
      const [major, minor] = (versionsOf(name)[dependency] ?? '').split('.');
      expect(text).toContain(` ${major}.${minor}`);
    }
  });

  it.each(RECIPES)(
    'is tried with exact versions of what $name needs, locked if CI installs them',
    (recipe) => {
      const { name, isShort } = recipe;
      for (const version of Object.values(versionsOf(name)))
        expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.-]+)?$/);
      expect(fs.existsSync(path.join('test/hosts', name, 'package-lock.json'))).toBe(isShort);
    },
  );

  it.each(RECIPES)('has $name tried with everything that its section installs', ({ name, section }) => {
    const lines = (sections.get(section) ?? '').match(/^npm install .+$/gm) ?? [];
    const installed = lines
      .flatMap((line) => line.replace(/ #.*/, '').split(' ').slice(2))
      .filter((word) => !/^(-|@latchkey\/)/.test(word))
      .map((word) => word.replace(/(?<=.)@.*/, ''));
    expect(Object.keys(versionsOf(name))).toEqual(expect.arrayContaining(installed));
  });

  it('leaves no folder of versions without a recipe', () => {
    const folders = repositoryFiles().flatMap((file) => /^test\/hosts\/([^/]+)\//.exec(file)?.[1] ?? []);
    expect([...new Set(folders)].sort()).toEqual(RECIPES.map(({ name }) => name).sort());
  });
});
