import path from 'node:path';
import { GuardedProcess } from '../../packages/testing/src/embedded-postgres/guarded-process.js';
import { freePort } from '../shared/free-port.mjs';

/** A built version of the service. */
export interface Version {
  /** For people: `former` or `this`. */
  name: string;
  /** The repository in which it was built. */
  folder: string;
  /** Settings of this version alone. */
  settings: Record<string, string>;
}

/** A process of the service. */
export interface Replica {
  version: string;
  url: string;
  /** Stops it in an orderly way. */
  stop(): Promise<void>;
}

/** Starts a process of the version, and returns it once it accepts requests. @throws Error with its output. */
export async function startReplica(version: Version, settings: Record<string, string>): Promise<Replica> {
  const port = await freePort();
  const environment = { ...settings, ...version.settings, HOST: '127.0.0.1', PORT: String(port) };
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const process_ = await GuardedProcess.start({
    command: '/usr/bin/env',
    args: [...assignments, process.execPath, path.join(version.folder, 'packages/server/dist/main.js')],
    stopSignal: 'TERM',
    readyWhen: /Latchkey \S+ is ready/,
    workingFolder: settings.DATA_DIR ?? version.folder,
    path: process.env.PATH,
  });
  return { version: version.name, url: `http://127.0.0.1:${port}`, stop: () => process_.stop() };
}
