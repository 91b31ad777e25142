import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { freePort } from '../../tools/shared/free-port.mjs';
import { startRedis, type TestRedis } from './redis.js';
import { waitUntil } from './wait-until.js';

const run = promisify(execFile);
const NODES = 6;

/** A Redis Cluster of three masters with a replica each. */
export class RedisCluster {
  readonly #nodes: readonly TestRedis[];

  private constructor(nodes: readonly TestRedis[]) {
    this.#nodes = nodes;
  }

  static async start(): Promise<RedisCluster> {
    const nodes = await Promise.all(Array.from({ length: NODES }, startNode));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes']);
    const cluster = new RedisCluster(nodes);
    await cluster.#untilReplicated();
    return cluster;
  }

  /** Two of the nodes: the client learns of the others. */
  get url(): string {
    return `redis://${this.#nodes
      .slice(-2)
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(',')}`;
  }

  /** Kills a master, and returns once its replica has its slots. */
  async failOver(): Promise<void> {
    const [victim] = this.#nodes;
    victim?.kill();
    const [, witness] = this.#nodes;
    const isOver = async () => {
      const nodes = String(await askNode(witness, (node) => node.cluster('NODES')));
      const masters = nodes.split('\n').filter((line) => line.includes('master') && !line.includes('fail'));
      return masters.length === NODES / 2;
    };
    await waitUntil(isOver, { what: 'a promoted replica' });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.stop()));
  }

  /** Without its data a replica is never promoted. */
  async #untilReplicated(): Promise<void> {
    const isReplicated = async () => {
      const infos = await Promise.all(
        this.#nodes.map((each) => askNode(each, (node) => node.info('replication'))),
      );
      return infos.filter((info) => info.includes('master_link_status:up')).length === NODES / 2;
    };
    await waitUntil(isReplicated, { what: 'replicas with the data of their masters' });
  }
}

async function startNode(): Promise<TestRedis> {
  const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];
  const bus = ['--cluster-port', String(await freePort()), '--repl-diskless-sync-delay', '0'];
  return startRedis([...cluster, ...bus]);
}

async function askNode<T>(node: TestRedis | undefined, question: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(node?.port ?? 0, '127.0.0.1', { maxRetriesPerRequest: 1 });
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}
