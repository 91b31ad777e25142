import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../test/support/browser/chromium.js';
import { buildClientTypes } from '../build/client-types/client-types.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = `${ROOT}site/`;

/** Writes the references and copies of what pages link to. @throws Error if it fails. */
export async function generate(): Promise<void> {
  // The reference of the packages would have `any` in their place.
  await buildClientTypes();
  await run(process.execPath, [`${SITE}generate.js`]);
}

/** Runs VitePress on the site. @throws Error if it fails, for example because of a dead link. */
export const vitepress = (command: 'dev' | 'build'): Promise<void> =>
  run(process.execPath, [`${SITE}node_modules/vitepress/bin/vitepress.js`, command, SITE]);

/** Checks the built site. @throws Error if it has faults. */
export const checkSite = (): Promise<void> => vitest('test/site');

/** Takes the pictures in docs/images. @throws Error without Chromium, or if a picture cannot be taken. */
export function takePictures(): Promise<void> {
  if (findChromium() === undefined)
    throw new Error('Chromium is missing: apt-get install chromium, or name one in CHROMIUM_PATH.');
  return vitest('test/pictures');
}

const vitest = (folder: string): Promise<void> =>
  run(process.execPath, [
    `${ROOT}node_modules/vitest/vitest.mjs`,
    'run',
    '--config',
    `${folder}/vitest.config.ts`,
  ]);

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`Failed: node ${args.join(' ').replaceAll(ROOT, '')}`));
    });
  });
}
