import { ADMIN, type Cluster } from './cluster.js';

/** Returns what listens where, and how to look at it, as a text for the terminal. */
export function describeCluster(cluster: Cluster): string {
  const { etcd, postgres, databaseProxy, pgbouncers, redis, replicas, serviceProxy } = cluster.parts;
  const rows: (readonly [string, string, string])[] = [
    ['service', cluster.url, 'HAProxy; pages at /login and /console, API at /docs'],
    ['HAProxy statistics', `http://127.0.0.1:${serviceProxy.statsPort}`, ''],
    ...replicas.map(({ name, url }) => [name, url, 'a replica, without HAProxy'] as const),
    ['primary', `127.0.0.1:${databaseProxy.port}`, 'HAProxy, to the PostgreSQL that is primary'],
    ...pgbouncers.map(({ part, port }) => [part.name, `127.0.0.1:${port}`, 'transaction pooling'] as const),
    ...postgres.map(
      ({ name, sqlPort, restPort }) =>
        [name, `127.0.0.1:${sqlPort}`, `Patroni: http://127.0.0.1:${restPort}/patroni`] as const,
    ),
    ...redis.map(({ name, relay }) => [name, relay.address, 'a master of the Cluster'] as const),
    ...[...etcd.clientPorts].map(([name, port]) => [name, `127.0.0.1:${port}`, ''] as const),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map(([what, where, note]) =>
    `  ${what.padEnd(widths[0]!)}  ${where.padEnd(widths[1]!)}  ${note}`.trimEnd(),
  );
  return [...lines, '', ...instructions(cluster)].join('\n');
}

function instructions(cluster: Cluster): string[] {
  const { postgres, databaseProxy, replicas } = cluster.parts;
  const folder = cluster.site.folder;
  const [first] = postgres;
  const login = `'{"email":"${ADMIN.email}","password":"${ADMIN.password}"}'`;
  return [
    `  sign in        ${ADMIN.email} with the password "${ADMIN.password}", a superadmin`,
    `                 curl -s ${cluster.url}/auth/login -H 'Content-Type: application/json' -d ${login}`,
    `  machine key    ${cluster.internalKey}`,
    `  look           curl -s ${replicas[0]!.url}/ready`,
    `                 patronictl -c ${first!.folder}/patroni.yaml list`,
    `                 PGPASSWORD=${cluster.password} psql -h 127.0.0.1 -p ${databaseProxy.port} -U latchkey latchkey`,
    `  fail over      patronictl -c ${first!.folder}/patroni.yaml failover --force --candidate postgres-2`,
    `  logs           tail -f ${folder}/*/log.txt`,
  ];
}
