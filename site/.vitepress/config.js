import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { frontPage, introduction } from '../contents/front-page.js';
import { sidebars } from '../contents/outline.js';
import {
  addressOf,
  BASE,
  GENERATED,
  pageOf,
  readText,
  repositoryAddress,
  ROOT,
  titleOf,
} from '../contents/repository.js';
import { mermaidDiagrams } from '../markdown/diagrams.js';
import { siteLinks } from '../markdown/links.js';
import { schemePictures } from '../markdown/pictures.js';

const SITE = fileURLToPath(new URL('..', import.meta.url));
const STATIC = path.join(ROOT, GENERATED, 'static');
const { version } = JSON.parse(readText('package.json'));
const repository = repositoryAddress();

/** Folders of the repository that have pages. */
const FOLDERS = ['docs', 'packages', 'examples', 'bench', 'site'];
const otherFolders = fs
  .readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !FOLDERS.includes(entry.name))
  .map(({ name }) => `${name}/**`);

export default defineConfig({
  title: titleOf('README.md'),
  description: introduction(),
  lang: 'en',
  base: BASE,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}logo.svg` }]],
  // The Markdown files of the repository, where they are.
  srcDir: '..',
  srcExclude: otherFolders,
  rewrites: (file) => pageOf(file) ?? file,
  outDir: path.join(SITE, '.vitepress/dist'),
  cacheDir: path.join(SITE, '.vitepress/cache'),
  // Addresses of a service that the reader has started.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    // Languages that the highlighter does not know, and the nearest that it knows.
    languageAlias: { promql: 'sql', cron: 'shellscript', cjs: 'js' },
    // Anchors in the files are those of GitHub.
    anchor: { slugify: slug },
    config: (markdown) => markdown.use(siteLinks).use(schemePictures).use(mermaidDiagrams),
  },
  transformPageData: ({ relativePath, frontmatter }) =>
    relativePath === 'index.md' ? { frontmatter: { ...frontmatter, ...frontPage() } } : undefined,
  buildEnd: ({ outDir }) => fs.cpSync(STATIC, outDir, { recursive: true }),
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Documentation', link: addressOf('docs/README.md') },
      {
        text: 'Reference',
        items: [
          { text: 'HTTP guide', link: addressOf('docs/http-api.md') },
          { text: 'API reference', link: '/http/' },
          { text: 'TypeScript', link: '/typescript/' },
          ...['docs/configuration.md', 'docs/cli.md', 'docs/errors.md'].map(entry),
        ],
      },
      entry('docs/decisions/README.md'),
      { text: version, items: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(entry) },
    ],
    sidebar: sidebars(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boost: { title: 4, text: 2, titles: 1 } } } },
    },
    ...(repository && { socialLinks: [{ icon: 'github', link: repository }] }),
    externalLinkIcon: true,
    footer: {
      message: ['SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md']
        .map((file) => `<a href="${BASE}${addressOf(file).replace(/^\//, '')}">${titleOf(file)}</a>`)
        .join(' · '),
      copyright: 'MIT license',
    },
  },
  vite: {
    publicDir: STATIC,
    plugins: [packagesOfTheSite()],
    build: { chunkSizeWarningLimit: 4000 },
  },
});

function entry(file) {
  return { text: titleOf(file), link: addressOf(file) };
}

/**
 * Finds packages in this folder, which is the only one that has them: Vite looks in the folder of the pages. The program
 * that renders the pages is in this folder and loads its packages by name.
 */
function packagesOfTheSite() {
  const loadedByName = /^(vue|@vue|@vueuse|mark\.js|minisearch|focus-trap|tabbable)(\/|$)/;
  return {
    name: 'packages-of-the-site',
    enforce: 'pre',
    resolveId(id, importer, options) {
      if (!loadedByName.test(id)) return null;
      if (options.ssr) return { id, external: true };
      return this.resolve(id, path.join(SITE, 'package.json'), { ...options, skipSelf: true });
    },
  };
}
