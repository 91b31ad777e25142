import fs from 'node:fs';
import path from 'node:path';
import type { Cluster } from './cluster.js';

/** Copies the logs of all parts to the folder, and beside them what the run saw, without tokens. */
export function copyLogs({ site }: Cluster, folder: string, result: object): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const part of fs.readdirSync(site.folder)) {
    const log = path.join(site.folder, part, 'log.txt');
    if (fs.existsSync(log)) fs.copyFileSync(log, path.join(folder, `${part}.txt`));
  }
  const withoutTokens = (key: string, value: unknown) =>
    (key === 'token' || key === 'successor') && typeof value === 'string' ? value.slice(-8) : value;
  fs.writeFileSync(path.join(folder, 'result.json'), JSON.stringify(result, withoutTokens, 1));
}
