import { findFreePorts } from './free-ports.js';
import { Part } from './part.js';
import { threeOf, type Site } from './site.js';
import { configuration } from './template.js';

export interface EtcdCluster {
  parts: Part[];
  /** By name of the member. */
  clientPorts: Map<string, number>;
}

/** Starts three members of etcd, which agree on who is the primary of PostgreSQL. */
export async function startEtcd(site: Site): Promise<EtcdCluster> {
  const members = await Promise.all(threeOf('etcd').map((name) => planMember(site, name)));
  const list = members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
  const parts = members.map(({ name, clientPort, peerPort, peerUrl }) => {
    const values = { NAME: name, CLIENT_PORT: clientPort, PEER_PORT: peerPort, PEER_URL: peerUrl };
    const folder = site.createFolder(name);
    const text = configuration('etcd.yaml', { ...values, MEMBERS: list, FOLDER: folder });
    site.writeFile(`${name}/etcd.yaml`, text);
    const args = ['--config-file', 'etcd.yaml'];
    return new Part({ name, command: 'etcd', args, folder, user: site.user });
  });
  for (const part of parts) part.start();
  await Promise.all(parts.map((part, n) => part.ready(() => isHealthy(members[n]!.clientPort))));
  return { parts, clientPorts: new Map(members.map(({ name, clientPort }) => [name, clientPort])) };
}

async function planMember(site: Site, name: string) {
  const [clientPort, peerPort] = (await findFreePorts(2)) as [number, number];
  const relay = await site.openRelay(`etcd > ${name}`, peerPort);
  return { name, clientPort, peerPort, peerUrl: `http://${relay.address}` };
}

const isHealthy = async (port: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/health`)).status === 200;
