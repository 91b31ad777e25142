import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { EtcdCluster } from './etcd.js';
import { findFreePorts } from './free-ports.js';
import { Part } from './part.js';
import type { Relay } from './relay.js';
import { threeOf, type Site } from './site.js';
import { configuration } from './template.js';

/** A member of the PostgreSQL cluster: Patroni, and the PostgreSQL that it starts. */
export interface PostgresMember {
  name: string;
  patroni: Part;
  folder: string;
  sqlPort: number;
  restPort: number;
  /** Where the others reach it. */
  sql: Relay;
  rest: Relay;
}

/** Starts three members. The first creates the database cluster, the others copy it. */
export async function startPostgres(
  site: Site,
  etcd: EtcdCluster,
  password: string,
): Promise<PostgresMember[]> {
  const members: PostgresMember[] = [];
  for (const name of threeOf('postgres')) members.push(await planMember(site, { name, etcd, password }));
  for (const { patroni, restPort } of members) {
    patroni.start();
    await patroni.ready(() => answers(restPort, '/readiness'), 90);
  }
  const isSynchronous = async (): Promise<boolean> =>
    (await Promise.all(members.map(({ restPort }) => answers(restPort, '/synchronous')))).includes(true);
  await members[0]!.patroni.ready(isSynchronous);
  return members;
}

/** Creates the account and the database of the service. */
export async function createDatabase(member: PostgresMember, password: string): Promise<void> {
  const url = `postgres://postgres:${password}@127.0.0.1:${member.sqlPort}/postgres`;
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`create role latchkey login password '${password}'`);
    await client.query('create database latchkey owner latchkey');
  } finally {
    await client.end();
  }
}

/** Returns whether Patroni answers the path with 200. The path names a role or state. */
export async function answers(restPort: number, check: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    return (await fetch(`http://127.0.0.1:${restPort}${check}`, { signal })).status === 200;
  } catch {
    return false;
  }
}

interface MemberPlan {
  name: string;
  etcd: EtcdCluster;
  password: string;
}

async function planMember(site: Site, { name, etcd, password }: MemberPlan): Promise<PostgresMember> {
  const [sqlPort, restPort] = (await findFreePorts(2)) as [number, number];
  const sql = await site.openRelay(`any > ${name} sql`, sqlPort);
  const rest = await site.openRelay(`any > ${name} rest`, restPort);
  const hosts: string[] = [];
  for (const [member, port] of etcd.clientPorts) {
    hosts.push((await site.openRelay(`${name} > ${member}`, port)).address);
  }
  const folder = site.createFolder(name);
  const text = configuration('patroni.yaml', {
    NAME: name,
    FOLDER: folder,
    BIN_FOLDER: findBinFolder(),
    PASSWORD: password,
    SQL_PORT: sqlPort,
    REST_PORT: restPort,
    SQL_ADDRESS: sql.address,
    REST_ADDRESS: rest.address,
    ETCD_HOSTS: hosts.join(','),
  });
  site.writeFile(`${name}/patroni.yaml`, text);
  const patroni = new Part({
    name: `patroni-${name.slice(-1)}`,
    command: 'patroni',
    args: ['patroni.yaml'],
    folder,
    user: site.user,
  });
  return { name, patroni, folder, sqlPort, restPort, sql, rest };
}

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** Returns the folder with the programs of the newest PostgreSQL. */
function findBinFolder(): string {
  const newest = fs
    .readdirSync(DEBIAN_FOLDER)
    .filter((version) => fs.existsSync(path.join(DEBIAN_FOLDER, version, 'bin/postgres')))
    .sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error(`${DEBIAN_FOLDER} has no PostgreSQL server.`);
  return path.join(DEBIAN_FOLDER, newest, 'bin');
}
