import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Returns the browser for the tests: `CHROMIUM_PATH`, or the first Chromium or Chrome on the PATH. */
export function findChromium(env: Record<string, string | undefined> = process.env): string | undefined {
  if (env.CHROMIUM_PATH !== undefined && env.CHROMIUM_PATH !== '') return env.CHROMIUM_PATH;
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
