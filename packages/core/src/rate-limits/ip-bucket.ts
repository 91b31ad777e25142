import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the bucket that counts the requests of an address: the address for IPv4, its /64 network for IPv6, because that
 * is what a household or machine is assigned (RFC 6177 section 2). IPv4 mapped into IPv6 counts as IPv4. All invalid
 * addresses share the bucket `unknown`, so that an invalid address never gets a new count.
 */
export function ipBucket(ip: string | null): string {
  if (ip === null || isIP(ip) === 0) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
