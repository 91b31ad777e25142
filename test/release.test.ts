import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { releaseFaults, repositoryFields } from '../tools/packages/release-metadata.mjs';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const manifestOf = (file: string) => JSON.parse(read(file)) as Record<string, unknown>;

const root = manifestOf('package.json');
const manifests = readdirSync(new URL('../packages', import.meta.url)).map((name) => ({
  ...manifestOf(`packages/${name}/package.json`),
  folder: `packages/${name}`,
}));
const repository = { type: 'git', url: 'git+https://git.example.com/latchkey/latchkey.git' };
const dated = `# Changelog\n\n## ${String(root.version)}, 2026-12-01\n`;

describe('the metadata of a release', () => {
  it('the packages are public, have provenance, and lack nothing but the address of the repository', () => {
    expect(releaseFaults({ ...root, repository: undefined }, manifests, dated)).toEqual([
      expect.stringContaining('package.json: repository is not set'),
    ]);
  });

  it('the address of the root, written into the packages, makes a release complete', () => {
    const address = { ...root, repository };
    const written = manifests.map((manifest) => ({
      ...manifest,
      ...repositoryFields(address, manifest.folder),
    }));
    expect(releaseFaults(address, written, dated)).toEqual([]);
    expect(releaseFaults(address, manifests, dated).join()).toContain(
      'repository differs from that of the root',
    );
    expect(written[0]).toMatchObject({
      homepage: 'https://git.example.com/latchkey/latchkey#readme',
      bugs: { url: 'https://git.example.com/latchkey/latchkey/issues' },
    });
  });

  it.each([
    ['an unreleased version', { repository }, dated.replace('2026-12-01', 'unreleased'), 'has no date'],
    ['another version', { repository, version: '9.9.9' }, dated, 'has no section for 9.9.9'],
    ['a wrong address', { repository: { type: 'git', url: 'git@host:x' } }, dated, 'must have the form'],
  ])('%s is no release', (_what, change, changelog, fault) => {
    expect(releaseFaults({ ...root, ...change }, manifests, changelog).join()).toContain(fault);
  });

  it('every package brings the changelog', () => {
    for (const manifest of manifests)
      expect(manifest).toMatchObject({ files: expect.arrayContaining(['CHANGELOG.md']) as unknown });
  });
});
