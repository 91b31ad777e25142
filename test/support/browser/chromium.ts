import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

const WHOLE = ['chromium', 'chromium-browser', 'google-chrome'];
/** The same engine without the interface of a browser: tests take two thirds of the time. */
const SHELLS = ['chromium-headless-shell'];

interface ChromiumSearch {
  env?: Record<string, string | undefined>;
  /** True if the test needs what only a whole browser does, such as loading icons. Defaults to false. */
  isWhole?: boolean;
}

/** Returns the browser for the tests: `CHROMIUM_PATH`, or the first Chromium or Chrome on the PATH. */
export function findChromium({ env = process.env, isWhole = false }: ChromiumSearch = {}):
  | string
  | undefined {
  if (env.CHROMIUM_PATH !== undefined && env.CHROMIUM_PATH !== '') return env.CHROMIUM_PATH;
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const names = isWhole ? WHOLE : [...SHELLS, ...WHOLE];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
