import fs from 'node:fs';
import path from 'node:path';

interface LockedPackage {
  dev?: boolean;
}

/** What is wrong with the files of an image whose packages lie in `app`, in words. */
export function faultsOfContent(app: string): string[] {
  const files = filesIn(app);
  return [
    ...developmentPackages(app).map((name) => `${name} is for development only`),
    ...files.filter(isSuperfluous).map((file) => `${file} does not belong there`),
    ...REQUIRED.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...faultsOfHashing(files),
  ];
}

/** Bytes of all files below a folder. */
export const sizeOf = (folder: string): number =>
  filesIn(folder).reduce((sum, file) => sum + fs.lstatSync(path.join(folder, file)).size, 0);

const REQUIRED = ['migrations/0001_users.sql', 'package.json', 'LICENSE'];

/** Of the own files: everything but what is run, and what describes the packages. */
const isSuperfluous = (file: string): boolean =>
  !/(?:^|\/)node_modules\//.test(file) &&
  (/(?:^|\/)(?:src|test|scripts|docs|examples|bench|deploy)\//.test(file) ||
    /\.(?:ts|map|tsbuildinfo|pem|key|tgz|log)$|(?:^|\/)\.env/.test(file));

/** The packages that the lock file has for development only, as far as they are there. */
function developmentPackages(app: string): string[] {
  const lock = JSON.parse(fs.readFileSync(path.join(app, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages)
    .filter(([place, { dev }]) => dev === true && fs.existsSync(path.join(app, place)))
    .map(([place]) => place);
}

/** On glibc one binary of the fast engine, and not the one for musl; and the other engine's, in case. */
function faultsOfHashing(files: readonly string[]): string[] {
  const fast = files.filter((file) => /@node-rs\/argon2-[^/]+\/[^/]+\.node$/.test(file));
  const isFit = fast.length === 1 && fast.every((file) => file.includes('-gnu'));
  const prebuilt = `node_modules/argon2/prebuilds/linux-${process.arch}/argon2.glibc.node`;
  return [
    ...(isFit ? [] : [`the fast password engine has the binaries ${fast.join(', ') || 'of no platform'}`]),
    ...(files.includes(prebuilt) ? [] : [`${prebuilt} is missing`]),
  ];
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
