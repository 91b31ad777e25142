import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findFreePorts } from './free-ports.js';
import { Part } from './part.js';
import type { Relay } from './relay.js';
import { threeOf, type Site } from './site.js';
import { configuration } from './template.js';

const run = promisify(execFile);

export interface RedisNode {
  name: string;
  part: Part;
  port: number;
  /** Where clients reach it: the address that the cluster announces. */
  relay: Relay;
}

/** Starts a Redis Cluster of three masters. */
export async function startRedis(site: Site): Promise<RedisNode[]> {
  const nodes: RedisNode[] = [];
  for (const name of threeOf('redis')) {
    const [port, busPort] = (await findFreePorts(2)) as [number, number];
    const relay = await site.openRelay(`any > ${name}`, port);
    const folder = site.createFolder(name);
    const values = { PORT: port, BUS_PORT: busPort, ANNOUNCED_PORT: relay.port, FOLDER: folder };
    site.writeFile(`${name}/redis.conf`, configuration('redis.conf', values));
    const part = new Part({ name, command: 'redis-server', args: ['redis.conf'], folder, user: site.user });
    part.start();
    nodes.push({ name, part, port, relay });
  }
  for (const { part, port } of nodes) await part.ready(async () => (await ask(port, 'ping')) === 'PONG');
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
  for (const { part, port } of nodes) {
    await part.ready(async () => (await ask(port, 'cluster', 'info')).includes('cluster_state:ok'));
  }
  return nodes;
}

/** The setting of the service. */
export const redisUrl = (nodes: readonly RedisNode[]): string =>
  `redis://${nodes.map(({ relay }) => relay.address).join(',')}`;

async function ask(port: number, ...command: string[]): Promise<string> {
  return (await run('redis-cli', ['-p', String(port), ...command])).stdout.trim();
}
