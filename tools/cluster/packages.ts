import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** The Debian package of each program. */
const PACKAGES: Readonly<Record<string, string>> = {
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  patroni: 'patroni',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
};
/** Needed by Patroni to talk to etcd. */
const PATRONI_CLIENT = { file: '/usr/lib/python3/dist-packages/etcd', name: 'python3-etcd' };
const POSTGRES = { folder: '/usr/lib/postgresql', name: 'postgresql' };

const POLICY = '/usr/sbin/policy-rc.d';
/** Services that Debian would start with the machine. */
const UNITS = ['etcd', 'haproxy', 'patroni', 'pgbouncer'];

/** Returns the Debian packages that are missing on this machine. */
function missingPackages(): string[] {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !isOnPath(program))
    .map(([, name]) => name);
  if (!fs.existsSync(PATRONI_CLIENT.file)) missing.push(PATRONI_CLIENT.name);
  if (!fs.existsSync(POSTGRES.folder)) missing.push(POSTGRES.name);
  return missing;
}

/**
 * Installs the programs of the cluster that are missing, if we are root or sudo asks for no password. Their services are
 * neither started nor enabled. @throws Error with the command to run otherwise.
 */
export function installPackages(report: (line: string) => void): void {
  const missing = missingPackages();
  if (missing.length === 0) return;
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  const prefix = administratorPrefix();
  if (prefix === undefined || !isOnPath('apt-get')) {
    throw new Error(
      `The cluster needs programs that are missing here. On Debian run:\n  sudo ${command.join(' ')}`,
    );
  }
  report(`   installing ${missing.join(', ')}`);
  runQuietly([...prefix, 'apt-get', 'update', '-qq']);
  withoutStartingServices(prefix, () => {
    runQuietly([...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...command]);
  });
  const units = UNITS.filter((unit) => missing.some((name) => name.startsWith(unit)));
  if (units.length > 0 && isOnPath('systemctl')) runQuietly([...prefix, 'systemctl', 'disable', ...units]);
}

/** Keeps packages from starting their services, by the policy that Debian has for it. */
function withoutStartingServices(prefix: readonly string[], work: () => void): void {
  const isOurs = !fs.existsSync(POLICY);
  if (isOurs)
    runQuietly([...prefix, 'sh', '-c', `printf '#!/bin/sh\\nexit 101\\n' >${POLICY}; chmod 755 ${POLICY}`]);
  try {
    work();
  } finally {
    if (isOurs) runQuietly([...prefix, 'rm', '-f', POLICY]);
  }
}

function administratorPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined;
}

function isOnPath(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin', '/sbin'];
  return folders.some((folder) => fs.existsSync(`${folder}/${program}`));
}

function runQuietly([program, ...args]: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program ?? '', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${(stdout + stderr).slice(-3_000)}`);
}
