import type { Cluster } from '../cluster.js';
import type { Part } from '../part.js';
import { answers, type PostgresMember } from '../postgres.js';
import { processesIn, signalAll } from '../processes.js';
import type { FaultKind, FaultSource } from './fault-plan.js';

/** Ends a fault. */
export type Heal = () => void;

/** A part of the cluster, as faults hit it. */
export interface FaultTarget extends FaultSource {
  begin(kind: FaultKind): Promise<Heal>;
}

const SHORT_MS = 6_000;
const USUAL_MS = 12_000;
/** Long enough for a lease of Patroni to expire, after 20 s. */
const LONG_MS = 35_000;

/** Returns everything in the cluster that can fail. */
export function faultTargets(cluster: Cluster): FaultTarget[] {
  const { etcd, postgres, databaseProxy, pgbouncers, redis, replicas, serviceProxy } = cluster.parts;
  const link = (part: string, pattern: RegExp, longestMs: number): FaultTarget =>
    linkTarget(cluster, { part, pattern, longestMs });
  return [
    ...etcd.parts.map((part) => processTarget(part, USUAL_MS)),
    ...etcd.parts.map(({ name }) => link(`network of ${name}`, new RegExp(`> ${name}$`), USUAL_MS)),
    ...postgres.flatMap((member) => [...memberTargets(member), ...memberLinks(cluster, member)]),
    ...primaryTargets(cluster),
    ...pgbouncers.map(({ part }) => processTarget(part, USUAL_MS)),
    ...pgbouncers.map(({ part: { name } }) => link(`${name} > primary`, new RegExp(`^${name} >`), USUAL_MS)),
    processTarget(databaseProxy.part, SHORT_MS),
    processTarget(serviceProxy.part, SHORT_MS),
    ...redis.map(({ part }) => processTarget(part, USUAL_MS)),
    ...redis.map(({ name }) => link(`network of ${name}`, new RegExp(`> ${name}$`), USUAL_MS)),
    ...replicas.map(({ part }) => processTarget(part, USUAL_MS)),
    ...replicas.map(({ name }) => link(`haproxy > ${name}`, new RegExp(`> ${name}$`), USUAL_MS)),
    ...replicas.map(({ name }) => link(`${name} > pgbouncer`, new RegExp(`^${name} >`), USUAL_MS)),
  ];
}

function processTarget(part: Part, longestMs: number): FaultTarget {
  const pids = () => (part.pid === undefined ? [] : [part.pid]);
  return processesTarget({ part: part.name, pids, restart: () => part.start(), longestMs });
}

/** PostgreSQL, its Patroni, and both at once. Patroni decides what happens after the end of its PostgreSQL. */
function memberTargets(member: PostgresMember): FaultTarget[] {
  const { name, patroni } = member;
  const restart = () => patroni.start();
  return [
    processTarget(patroni, LONG_MS),
    processesTarget({ part: name, pids: () => postgresOf(member), restart, longestMs: USUAL_MS }),
    machineTarget(`machine of ${name}`, member),
  ];
}

function machineTarget(part: string, { folder, patroni }: PostgresMember): FaultTarget {
  return processesTarget({
    part,
    pids: () => processesIn(folder),
    restart: () => patroni.start(),
    longestMs: LONG_MS,
  });
}

const postgresOf = ({ folder }: PostgresMember): number[] => processesIn(`${folder}/data`);

/** The member alone on its side of the network, and its Patroni without etcd. */
function memberLinks(cluster: Cluster, { name }: PostgresMember): FaultTarget[] {
  const longestMs = LONG_MS;
  return [
    linkTarget(cluster, {
      part: `network of ${name}`,
      pattern: new RegExp(`(> ${name} |^${name} >)`),
      longestMs,
    }),
    linkTarget(cluster, { part: `${name} > etcd`, pattern: new RegExp(`^${name} >`), longestMs }),
  ];
}

/** Whichever member is the primary when the fault begins, so that it is hit more often than by chance. */
function primaryTargets(cluster: Cluster): FaultTarget[] {
  const primary = async (): Promise<PostgresMember> => {
    const { postgres } = cluster.parts;
    const isPrimary = await Promise.all(postgres.map(({ restPort }) => answers(restPort, '/primary')));
    return postgres[Math.max(0, isPrimary.indexOf(true))]!;
  };
  const [ofPrimary, machine, network] = [
    'PostgreSQL of the primary',
    'machine of the primary',
    'network of the primary',
  ];
  return [
    {
      ...{ part: ofPrimary, kinds: ['kill', 'pause'], longestMs: USUAL_MS },
      begin: async (kind) => memberTargets(await primary())[1]!.begin(kind),
    },
    {
      ...{ part: machine, kinds: ['kill', 'pause'], longestMs: LONG_MS },
      begin: async (kind) => machineTarget(machine, await primary()).begin(kind),
    },
    {
      ...{ part: network, kinds: ['cut', 'silent'], longestMs: LONG_MS },
      begin: async (kind) => memberLinks(cluster, await primary())[0]!.begin(kind),
    },
  ];
}

interface ProcessesOptions {
  part: string;
  pids: () => number[];
  restart: () => void;
  longestMs: number;
}

function processesTarget({ part, pids, restart, longestMs }: ProcessesOptions): FaultTarget {
  const begin = (kind: FaultKind): Promise<Heal> => {
    const hit = pids();
    signalAll(hit, kind === 'kill' ? 'SIGKILL' : 'SIGSTOP');
    return Promise.resolve(() => {
      if (kind === 'pause') signalAll(hit, 'SIGCONT');
      restart();
    });
  };
  return { part, kinds: ['kill', 'pause'], longestMs, begin };
}

function linkTarget(
  cluster: Cluster,
  { part, pattern, longestMs }: { part: string; pattern: RegExp; longestMs: number },
): FaultTarget {
  const begin = (kind: FaultKind): Promise<Heal> => {
    const relays = cluster.site.relays(pattern);
    for (const relay of relays) relay.partition(kind === 'silent' ? 'silent' : 'cut');
    return Promise.resolve(() => {
      for (const relay of relays) relay.heal();
    });
  };
  return { part, kinds: ['cut', 'silent'], longestMs, begin };
}
