import { connect } from 'node:net';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';
import { findFreePorts } from './free-ports.js';
import { Part } from './part.js';
import type { PostgresMember } from './postgres.js';
import type { Site } from './site.js';
import { configuration } from './template.js';

/** A proxy, and the port on which it listens. */
export interface Proxy {
  part: Part;
  port: number;
}

/** Starts the HAProxy that leads to the primary. */
export async function startDatabaseProxy(site: Site, members: readonly PostgresMember[]): Promise<Proxy> {
  const servers = members.map(
    ({ name, sql, rest }) => `    server ${name} ${sql.address} check addr 127.0.0.1 port ${rest.port}`,
  );
  const [port] = (await findFreePorts(1)) as [number];
  const values = { PORT: port, SERVERS: servers.join('\n') };
  return startHaproxy(site, { name: 'haproxy-database', port, values });
}

/** Starts two PgBouncers before it. Each has a way to it of its own. */
export async function startPgbouncers(site: Site, target: Proxy, password: string): Promise<Proxy[]> {
  const proxies: Proxy[] = [];
  for (const name of ['pgbouncer-1', 'pgbouncer-2']) {
    const [port] = (await findFreePorts(1)) as [number];
    const relay = await site.openRelay(`${name} > haproxy-database`, target.port);
    const folder = site.createFolder(name);
    site.writeFile(`${name}/users.txt`, `"latchkey" "${password}"\n`);
    const values = { PORT: port, DATABASE_PORT: relay.port, FOLDER: folder };
    site.writeFile(`${name}/pgbouncer.ini`, configuration('pgbouncer.ini', values));
    const part = new Part({ name, command: 'pgbouncer', args: ['pgbouncer.ini'], folder, user: site.user });
    part.start();
    await part.ready(() => listens(port));
    proxies.push({ part, port });
  }
  return proxies;
}

export interface ServiceProxy extends Proxy {
  statsPort: number;
}

/** Starts the HAProxy before the replicas, which are reached on these ports. */
export async function startServiceProxy(
  site: Site,
  replicas: readonly { name: string; relayPort: number }[],
): Promise<ServiceProxy> {
  const [port, statsPort] = (await findFreePorts(2)) as [number, number];
  const servers = replicas.map(({ name, relayPort }) => `    server ${name} 127.0.0.1:${relayPort} check`);
  const values = {
    PORT: port,
    STATS_PORT: statsPort,
    SERVERS: servers.join('\n'),
    ERROR_FILE: path.join(root, 'deploy/cluster/503.http'),
  };
  return { ...(await startHaproxy(site, { name: 'haproxy-service', port, values })), statsPort };
}

interface HaproxyPlan {
  /** Of its configuration file, too. */
  name: string;
  port: number;
  values: Record<string, string | number>;
}

async function startHaproxy(site: Site, { name, port, values }: HaproxyPlan): Promise<Proxy> {
  const folder = site.createFolder(name);
  const file = `${name}.cfg`;
  site.writeFile(`${name}/${file}`, configuration(file, values));
  const part = new Part({ name, command: 'haproxy', args: ['-db', '-f', file], folder, user: site.user });
  part.start();
  await part.ready(() => listens(port));
  return { part, port };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
