import path from 'node:path';
import { root } from '../shared/repository-files.mjs';
import { findFreePorts } from './free-ports.js';
import { Part } from './part.js';
import type { Proxy } from './proxies.js';
import { threeOf, type Site } from './site.js';

/** A process of the built service. */
export interface ClusterReplica {
  name: string;
  part: Part;
  port: number;
  url: string;
  /** Where HAProxy reaches it. */
  relayPort: number;
}

export interface ReplicaOptions {
  settings: Readonly<Record<string, string>>;
  pgbouncers: readonly Proxy[];
  password: string;
}

/** Starts three replicas at once; the first one to come creates the schema. */
export async function startReplicas(site: Site, options: ReplicaOptions): Promise<ClusterReplica[]> {
  const replicas: ClusterReplica[] = [];
  for (const [index, name] of threeOf('latchkey').entries()) {
    replicas.push(
      await planReplica(site, name, { ...options, pgbouncers: rotate(options.pgbouncers, index) }),
    );
  }
  for (const { part } of replicas) part.start();
  await Promise.all(replicas.map(({ part, url }) => part.ready(() => isReady(url))));
  return replicas;
}

/** Returns whether the replica is ready for requests. */
export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) })).status === 200;
  } catch {
    return false;
  }
}

async function planReplica(
  site: Site,
  name: string,
  { settings, pgbouncers, password }: ReplicaOptions,
): Promise<ClusterReplica> {
  const [port] = (await findFreePorts(1)) as [number];
  const relay = await site.openRelay(`haproxy-service > ${name}`, port);
  const hosts: string[] = [];
  for (const { part, port: target } of pgbouncers) {
    hosts.push((await site.openRelay(`${name} > ${part.name}`, target)).address);
  }
  const query = 'target_session_attrs=read-write';
  const environment = {
    ...settings,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `postgres://latchkey:${password}@${hosts.join(',')}/latchkey?${query}`,
  };
  const args = [path.join(root, 'packages/server/dist/main.js')];
  const folder = site.createFolder(name);
  const part = new Part({ name, command: process.execPath, args, folder, environment });
  return { name, part, port, url: `http://127.0.0.1:${port}`, relayPort: relay.port };
}

const rotate = <T>(list: readonly T[], by: number): T[] =>
  list.map((_, index) => list[(index + by) % list.length]!);
