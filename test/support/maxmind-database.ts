import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';

/** A value of a record: texts, numbers and records of them. */
type Value = string | number | readonly Value[] | { readonly [key: string]: Value };

export interface MaxmindContent {
  /** Defaults to `GeoLite2-City`. */
  readonly type?: string;
  readonly ipVersion?: 4 | 6;
  readonly builtAt?: Date;
  /** The record of each network, such as `81.2.69.0/24`. */
  readonly networks: Readonly<Record<string, Value>>;
}

/** A branch of the tree: another node, the position of a record, or nothing. */
type Branch = Node | number | undefined;
type Node = [Branch, Branch];

const TYPES = { string: 2, uint32: 6, map: 7, array: 11 };
const SEPARATOR = Buffer.alloc(16);
const METADATA_MARKER = Buffer.from('\u00AB\u00CD\u00EFMaxMind.com', 'latin1');

/** An address in Berlin, and one of which only the country is known, in the database of `writePlaces`. */
export const IN_BERLIN = '85.214.132.117';
export const IN_BRITAIN = '2a02:c7f:1::42';

/** Writes a database of a few places into a folder and returns its path. */
export async function writePlaces(folder: string, others: Partial<MaxmindContent> = {}): Promise<string> {
  const path = join(folder, 'places.mmdb');
  const networks = {
    '85.214.0.0/16': { country: { iso_code: 'DE' }, city: { names: { en: 'Berlin' } } },
    '2a02:c7f::/32': { country: { iso_code: 'GB' } },
  };
  await writeFile(path, maxmindDatabase({ networks, ...others }));
  return path;
}

/** Returns a file in the MaxMind DB format, version 2.0, with records of 24 bits. */
export function maxmindDatabase({
  type = 'GeoLite2-City',
  ipVersion = 6,
  builtAt = new Date(),
  networks,
}: MaxmindContent): Buffer {
  const root: Node = [undefined, undefined];
  const records: Buffer[] = [];
  for (const [network, record] of Object.entries(networks)) {
    insert(root, bitsOf(network, ipVersion), Buffer.concat(records).length);
    records.push(encoded(record));
  }
  const nodes = nodesOf(root);
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: type,
    description: { en: 'A database for tests' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([treeOf(nodes), SEPARATOR, ...records, METADATA_MARKER, metadata]);
}

/** Returns the path to a network. A tree of IPv6 addresses has those of IPv4 below 96 zeros. */
function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address, length] = ipaddr.parseCIDR(network);
  const bits = address
    .toByteArray()
    .flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((at) => (byte >> at) & 1));
  const zeros = ipVersion === 6 && address.kind() === 'ipv4' ? 96 : 0;
  return [...Array<number>(zeros).fill(0), ...bits.slice(0, length)];
}

function insert(root: Node, bits: readonly number[], position: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit];
    const below: Node = Array.isArray(next) ? next : [undefined, undefined];
    node[bit] = below;
    node = below;
  }
  node[bits.at(-1) ?? 0] = position;
}

/** Returns the nodes of the tree, the root first. */
function nodesOf(node: Node): Node[] {
  return [node, ...node.flatMap((branch) => (Array.isArray(branch) ? nodesOf(branch) : []))];
}

function treeOf(nodes: readonly Node[]): Buffer {
  const tree = Buffer.alloc(nodes.length * 6);
  const numberOf = (branch: Branch): number => {
    if (branch === undefined) return nodes.length;
    return Array.isArray(branch) ? nodes.indexOf(branch) : nodes.length + SEPARATOR.length + branch;
  };
  for (const [index, [left, right]] of nodes.entries()) {
    tree.writeUIntBE(numberOf(left), index * 6, 3);
    tree.writeUIntBE(numberOf(right), index * 6 + 3, 3);
  }
  return tree;
}

function encoded(value: Value): Buffer {
  if (typeof value === 'string') return withControl(TYPES.string, Buffer.from(value));
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return withControl(TYPES.uint32, bytes);
  }
  if (Array.isArray(value)) return withControl(TYPES.array, ...(value as Value[]).map(encoded));
  const entries = Object.entries(value).map(([key, each]) => Buffer.concat([encoded(key), encoded(each)]));
  return withControl(TYPES.map, ...entries);
}

/** Texts and numbers count their bytes, maps and arrays their entries: fewer than 29 each. */
function withControl(type: number, ...parts: readonly Buffer[]): Buffer {
  const isCounted = type === TYPES.map || type === TYPES.array;
  const size = isCounted ? parts.length : (parts[0]?.length ?? 0);
  if (size > 28) throw new RangeError('The test database has no long texts.');
  const control = type > 7 ? [size, type - 7] : [(type << 5) | size];
  return Buffer.concat([Buffer.from(control), ...parts]);
}
