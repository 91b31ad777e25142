import { isIP } from 'node:net';
import type { Knex } from 'knex';
import { z } from 'zod';

/** Bits of a group of an address of each version, and its shortest network that a list is filtered by. */
const IPV4_SHORTEST = 8;
const IPV6_LENGTHS = [16, 32, 48, 64];
const IPV6_GROUPS = 8;

const MESSAGE =
  'must be an IP address, an IPv4 network of 8 to 32 bits such as 192.0.2.0/24, or an IPv6 network of 16, 32, 48 or 64 bits such as 2001:db8::/32';

/** An IP address or a network; the output is in canonical form. */
export const networkInput = z
  .string()
  .trim()
  .max(64)
  .transform((text, context) => {
    const network = canonicalNetwork(text);
    if (network !== undefined) return network;
    context.addIssue({ code: 'custom', message: MESSAGE });
    return z.NEVER;
  })
  .meta({ pattern: '^\\s*[0-9A-Fa-f.:]+(/\\d{1,3})?\\s*$' });

/** Returns the text of an address or a network as it is compared, without a length for a single address. */
function canonicalNetwork(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined;
  const version = isIP(address);
  const all = version === 4 ? 32 : 128;
  const length = bits === undefined ? all : Number(bits);
  const isLong = version === 4 ? length >= IPV4_SHORTEST && length <= all : IPV6_LENGTHS.includes(length);
  if (version === 0 || address.includes('%') || (length !== all && !isLong)) return undefined;
  const canonical = version === 4 ? address : canonicalIpv6(address);
  return length === all ? canonical : `${canonical}/${length}`;
}

/** Returns the spelling of RFC 5952; an IPv4 address in IPv6 form is recorded as an IPv4 address. */
function canonicalIpv6(address: string): string {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  return [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]).join('.');
}

/**
 * Limits a query to the addresses of a network, by the texts with which they begin: an index finds those, and recorded addresses need
 * not be valid.
 * @param network as `networkInput` returns it.
 */
export function whereInNetwork(query: Knex.QueryBuilder, column: string, network: string): void {
  const [address = '', bits] = network.split('/');
  // The index has no rows without an address.
  void query.whereNotNull(column);
  if (bits === undefined) void query.where(column, address);
  else if (isIP(address) === 4) whereInIpv4(query, column, { address, length: Number(bits) });
  else whereInIpv6(query, column, { address, length: Number(bits) });
}

interface Network {
  address: string;
  length: number;
}

function whereInIpv4(query: Knex.QueryBuilder, column: string, { address, length }: Network): void {
  const octets = address.split('.');
  const whole = Math.ceil(length / 8) - 1;
  const free = 8 * (whole + 1) - length;
  const first = (Number(octets[whole]) >> free) << free;
  const starts = Array.from({ length: 2 ** free }, (_, step) =>
    [...octets.slice(0, whole), first + step].join('.'),
  );
  if (whole === 3) {
    void query.whereIn(column, starts);
    return;
  }
  void query.where((either) => {
    for (const start of starts) void either.orWhereLike(column, `${start}.%`);
  });
}

/**
 * The zeros that `::` replaces begin behind the network, or within it. In the second case the groups that follow them show
 * how many they are.
 */
function whereInIpv6(query: Knex.QueryBuilder, column: string, { address, length }: Network): void {
  const count = length / 16;
  const groups = groupsOf(address).slice(0, count);
  void query.where((either) => {
    void either.orWhereLike(column, `${groups.join(':')}:%`);
    for (const [at, group] of groups.entries()) {
      if (group === '0') either.orWhere((within) => whereZerosAt(within, column, { groups, at }));
    }
  });
}

/** Limits a query to addresses of the network whose `::` replaces the zeros from one of its groups on. */
function whereZerosAt(
  query: Knex.QueryBuilder,
  column: string,
  { groups, at }: { groups: readonly string[]; at: number },
): void {
  const zeros = groups.slice(at).findIndex((group) => group !== '0');
  const following = zeros === -1 ? [] : groups.slice(at + zeros);
  const start = `${groups.slice(0, at).join(':')}::${following.map((group) => `${group}:`).join('')}%`;
  const hosts = IPV6_GROUPS - groups.length;
  // Zeros that end within the network leave all groups of the host, and others at most as many.
  const least = zeros === -1 ? '' : ':%'.repeat(hosts - 1);
  void query
    .whereLike(column, `${start}${least}`)
    .whereNot((longer) => void longer.whereLike(column, `${start}${':%'.repeat(hosts)}`));
}

/** Returns the eight groups of an address in canonical form. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: IPV6_GROUPS - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
}
