import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PLAIN_PATH, type BuiltStage } from './build-stages.js';

/** What is run instead of a container: the files of an image, its environment and its user, on this machine. */
export interface Container {
  /** In words: how close to a container this machine allows. */
  readonly description: string;
  /** The path under which what runs sees a file of the image. */
  inside(place: string): string;
  start(words: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess;
}

/** Folders of this machine that stand for those of the base image. */
const OF_BASE_IMAGE = ['bin', 'etc', 'lib', 'lib64', 'proc', 'usr'];
const DEVICES = ['null', 'random', 'urandom', 'zero'];

/**
 * The stage as a container: with root and mounts, in a root folder of its own that is read-only, under the user's
 * number and without capabilities; else in place, without the right to write.
 */
export function containerOf(stage: BuiltStage): Container {
  return maySeal() ? sealed(stage) : inPlace(stage);
}

function maySeal(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const probe = ['--mount', 'sh', '-c', 'mount --make-rprivate / && setpriv --version && chroot --version'];
  return spawnSync('unshare', probe, { stdio: 'ignore' }).status === 0;
}

function sealed(stage: BuiltStage): Container {
  const mounts = prepareRoot(stage.root);
  const { uid, gid } = accountOf(stage);
  const account = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'];
  const program = path.dirname(process.execPath);
  return {
    description: `read-only root folder of its own, uid ${uid}, no capabilities`,
    inside: (place) => place,
    start: (words, settings) => {
      const environment = { PATH: PLAIN_PATH, ...stage.environment, ...settings };
      const given = Object.entries(environment).map(([name, value]) =>
        // Node is where it is on this machine, in the image on its PATH.
        name === 'PATH' ? `PATH=${value}:${program}` : `${name}=${value}`,
      );
      const inRoot = ['chroot', stage.root, 'setpriv', ...account, '--bounding-set=-all', '--inh-caps=-all'];
      const command = [...inRoot, 'env', '-i', '-C', stage.workdir, ...given, ...words];
      const script = `set -e; mount --make-rprivate /; ${mounts}; exec "$@"`;
      return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...command], {
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    },
  };
}

/** The places of the mounts, and the commands that mount them; all of it ends with the process that runs them. */
function prepareRoot(root: string): string {
  const quoted = (place: string) => `'${place.replaceAll("'", String.raw`'\''`)}'`;
  const ofNode = path.dirname(path.dirname(fs.realpathSync(process.execPath)));
  const folders = OF_BASE_IMAGE.map((name) => `/${name}`).filter((folder) => fs.existsSync(folder));
  const bound = ofNode.startsWith('/usr') ? folders : [...folders, ofNode];
  for (const folder of bound) fs.mkdirSync(path.join(root, folder), { recursive: true });
  fs.mkdirSync(path.join(root, 'dev'), { recursive: true });
  fs.mkdirSync(path.join(root, 'tmp'), { recursive: true });
  for (const device of DEVICES) fs.writeFileSync(path.join(root, 'dev', device), '');
  const own = quoted(root);
  return [
    `mount --bind ${own} ${own}`,
    `mount -o remount,bind,ro ${own}`,
    ...bound.flatMap((folder) => {
      const place = quoted(path.join(root, folder));
      return folder === '/proc'
        ? [`mount --bind /proc ${place}`]
        : [`mount --bind ${quoted(folder)} ${place}`, `mount -o remount,bind,ro ${place}`];
    }),
    ...DEVICES.map((device) => `mount --bind /dev/${device} ${quoted(path.join(root, 'dev', device))}`),
  ].join('; ');
}

function inPlace(stage: BuiltStage): Container {
  // Root may write anywhere, so it becomes the image's user; anybody else loses the right to write.
  const account = process.getuid?.() === 0 ? accountOf(stage) : {};
  spawnSync('chmod', ['-R', 'a-w', path.join(stage.root, stage.workdir)]);
  const inside = (place: string) => path.join(stage.root, place);
  return {
    description: 'in place, files without the right to write (root and mounts would allow more)',
    inside,
    start: (words, settings) => {
      const ownPath = (stage.environment.PATH ?? '')
        .split(':')
        .map((folder) => (folder.startsWith(`${stage.workdir}/`) ? inside(folder) : folder));
      const searched = [...ownPath, path.dirname(process.execPath)].join(':');
      return spawn(words[0] ?? '', words.slice(1), {
        cwd: inside(stage.workdir),
        env: { ...stage.environment, ...settings, PATH: searched },
        stdio: ['pipe', 'pipe', 'pipe'],
        ...account,
      });
    },
  };
}

function accountOf(stage: BuiltStage): { uid: number; gid: number } {
  const [uid = '0', gid = uid] = (stage.user ?? '0').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
