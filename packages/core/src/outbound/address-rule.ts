import { createRequire } from 'node:module';
import type ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: an address, and the number of leading bits that its members share. */
type Network = readonly [Address, number];

/** Loaded when an address is judged: loading it slows every start, and commands that send nothing need none. */
let loaded: typeof ipaddr | undefined;
const library = (): typeof ipaddr =>
  (loaded ??= createRequire(import.meta.url)('ipaddr.js') as typeof ipaddr);

/** Returns the networks of a list, which are parsed once. */
function networks(...texts: string[]): () => Network[] {
  let parsed: Network[] | undefined;
  return () => (parsed ??= texts.map((text) => library().parseCIDR(text)));
}

/** The range that IANA assigns global unicast from (RFC 4291, section 2.4). Everything else in IPv6 is refused. */
const GLOBAL_IPV6 = networks('2000::/3');

/** Networks inside that range which are not global, or for protocols and documentation only. */
const SPECIAL_IPV6 = networks('2001::/23', '2001:db8::/32', '3fff::/20', '2620:4f:8000::/48');

/** Addresses from which clouds serve credentials to their machines. `OUTBOUND_ALLOWED` opens them one by one, never by a network. */
const METADATA = networks(
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
);

/** Addresses that no receiver has: a connection to 0.0.0.0 goes to this machine. */
const NEVER = new Set(['unspecified', 'broadcast', 'multicast']);

const NAT64 = networks('64:ff9b::/96');
const SIX_TO_FOUR = networks('2002::/16');
const TEREDO = networks('2001::/32');

/** The addresses and names that an operator opens on purpose. */
export interface OutboundAllowance {
  /** Host names, lower case, without a dot at the end. */
  readonly names: readonly string[];
  /** Addresses, and networks as CIDR. */
  readonly networks: readonly string[];
}

/**
 * Returns whether a connection to an address is allowed for a host of this name.
 * @param text an address as a resolver returns it.
 */
export function isAllowedAddress(text: string, name: string, allowed: OutboundAllowance): boolean {
  const address = unwrapped(text);
  if (!address || NEVER.has(address.range())) return false;
  const opened = allowed.networks.map(networkOf).filter((network) => isIn(address, network));
  const isNamed = opened.some(isSingle);
  if (isNamed) return true;
  if (isInAny(address, METADATA())) return false;
  if (allowed.names.includes(name) || opened.length > 0) return true;
  return isGlobalUnicast(address);
}

/** Returns whether an address is one of this machine. */
export const isLoopbackAddress = (text: string): boolean => unwrapped(text)?.range() === 'loopback';

/** Returns the network that an entry of `OUTBOUND_ALLOWED` names: a single address is a network of its own. */
function networkOf(entry: string): Network {
  if (entry.includes('/')) return library().parseCIDR(entry);
  const address = library().parse(entry);
  return [address, bitsOf(address)];
}

const isSingle = ([address, bits]: Network): boolean => bits === bitsOf(address);
const bitsOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128);

const isIn = (address: Address, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

const isInAny = (address: Address, list: readonly Network[]): boolean =>
  list.some((network) => isIn(address, network));

function isGlobalUnicast(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  return isInAny(address, GLOBAL_IPV6()) && !isInAny(address, SPECIAL_IPV6());
}

/** Returns the address that packets reach in the end: the IPv4 address inside of a mapped or tunnelled one. */
function unwrapped(text: string): Address | undefined {
  if (!library().isValid(text)) return undefined;
  const address = library().process(text);
  if (address.kind() === 'ipv4') return address;
  const bytes = address.toByteArray();
  if (isInAny(address, NAT64())) return ipv4Of(bytes.slice(12));
  if (isInAny(address, SIX_TO_FOUR())) return ipv4Of(bytes.slice(2, 6));
  // The client is in the last bits, inverted (RFC 4380, section 4).
  return isInAny(address, TEREDO()) ? ipv4Of(bytes.slice(12).map((byte) => byte ^ 0xff)) : address;
}

const ipv4Of = (bytes: number[]): Address => new (library().IPv4)(bytes);
