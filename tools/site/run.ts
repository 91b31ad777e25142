import { installFolder } from '../shared/installed-folder.mjs';
import { checkSite, generate, takePictures, vitepress } from './site-programs.js';

// The documentation as a site. Its packages are in site/package.json and are no dependencies of the project.
const ABOUT = `The documentation as a site. Its packages are installed into site/node_modules on first use.

  npm run site             serves the pages and shows changes at once
  npm run site:build       builds the site into site/.vitepress/dist
  npm run site:check       builds the site and checks it, in Chromium if it is installed
  npm run site:pictures    takes the pictures in docs/images, in Chromium

SITE_BASE is the path below which the site is served, with a slash at both ends. Defaults to /.`;

const ACTIONS: Readonly<Record<string, () => Promise<void>>> = {
  dev: async () => {
    await generate();
    await vitepress('dev');
  },
  build,
  check: async () => {
    await build();
    await checkSite();
  },
  pictures: takePictures,
};

async function build(): Promise<void> {
  await generate();
  await vitepress('build');
}

async function main(words: readonly string[]): Promise<void> {
  if (words.some((word) => ['--help', '-h'].includes(word))) {
    console.log(ABOUT);
    return;
  }
  const action = ACTIONS[words[0] ?? ''];
  if (action === undefined) {
    console.error(ABOUT);
    process.exitCode = 2;
    return;
  }
  try {
    installFolder('site', 'the packages of the site, about 320 MB,');
    await action();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));
