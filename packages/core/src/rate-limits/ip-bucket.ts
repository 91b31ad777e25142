import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Under which name the requests of an address are counted: IPv4 by address, IPv6 by /64, because that is what one
 * household or machine is given (RFC 6177 section 2); IPv4 mapped into IPv6 is its IPv4 address. Whatever is no
 * address shares the bucket `unknown`, so that a bad address buys nobody a fresh count.
 */
export function ipBucket(ip: string | null): string {
  if (ip === null || isIP(ip) === 0) return 'unknown';
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
