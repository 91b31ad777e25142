// Looks for what ties the repository to one machine: `node scripts/ci-check-files.mjs`.
//
// A path of somebody's home or checkout, or the address of a private registry, works for one person and for nobody
// else. Both slip in by copying a log line or a lock file.
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import { readText, repositoryFiles, root } from './ci-files.mjs';

const PUBLIC_REGISTRY = 'registry.npmjs.org';
const BINARY = /\.(png|jpe?g|gif|ico|woff2?|gz|zip)$/i;

/** Homes, and where checkouts usually lie. */
const FOREIGN_PATHS = [
  /(?<![\w.~-])\/(?:home|Users)\/[a-z][\w.-]*\//i,
  /(?<![\w.~}-])\/(?:root|work|workspaces?|builds)\/[\w.-]/,
  /\b[A-Z]:\\Users\\/,
];

function forbiddenTexts() {
  const home = os.homedir();
  const texts = [`${root}/`, ...(home.length > 1 && home !== '/root' ? [`${home}/`] : [])];
  const registry = configuredRegistry();
  return registry === undefined || registry === PUBLIC_REGISTRY ? texts : [...texts, registry];
}

/** The host packages come from on this machine. */
function configuredRegistry() {
  const { stdout } = spawnSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' });
  const address = stdout?.trim() ?? '';
  return URL.canParse(address) ? new URL(address).host : undefined;
}

function faultsOf(file, texts) {
  return readText(file)
    .split('\n')
    .flatMap((line, index) => {
      const isTied =
        texts.some((text) => line.includes(text)) || FOREIGN_PATHS.some((pattern) => pattern.test(line));
      return isTied ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [];
    });
}

const texts = forbiddenTexts();
const files = repositoryFiles().filter((file) => !BINARY.test(file));
const faults = files.flatMap((file) => faultsOf(file, texts));
if (files.includes('.npmrc') && /^\s*(?:@[\w-]+:)?registry\s*=/m.test(readText('.npmrc'))) {
  faults.push('.npmrc: names a registry');
}

for (const fault of faults) console.log(fault);
console.log(`${files.length} files, ${faults.length} lines that belong to one machine only.`);
process.exitCode = faults.length === 0 ? 0 : 1;
