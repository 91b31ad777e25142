import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import type ipaddr from 'ipaddr.js';
import { quote } from '../quote.js';
import { kindOf, Problem, readList } from './setting-kind.js';

/** Loaded when a list is parsed: loading it slows every start, and few services set one. */
const addresses = () => createRequire(import.meta.url)('ipaddr.js') as typeof ipaddr;

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?';
/** The last label begins with a letter: parsers of URLs take anything else for an address. */
const NAME = new RegExp(`^(?:${LABEL}\\.)*(?=[a-z])${LABEL}$`);

/** Ports, each once. */
export const portList = kindOf('comma-separated ports from 1 to 65535', (text) =>
  readList(text, (part) => {
    const port = /^\d{1,5}$/.test(part) ? Number(part) : 0;
    return port >= 1 && port <= 65_535 ? port : new Problem(`${quote(part)} is not a port`);
  }),
);

/** Host names, and addresses or networks. */
export const hostList = kindOf(
  'comma-separated host names, addresses and networks such as hooks.internal, 10.1.2.3, 10.8.0.0/16',
  (text) => {
    const parts = readList(text, (part) => {
      const entry = spelled(part.toLowerCase().replace(/\.$/, ''));
      if (isNetwork(entry) || NAME.test(entry)) return entry;
      return new Problem(`${quote(part)} is neither a host name nor an address or network`);
    });
    if (parts instanceof Problem) return parts;
    return { names: parts.filter((part) => !isNetwork(part)), networks: parts.filter(isNetwork) };
  },
);

/** Spells a name as URLs have it, and an address as it is compared: without the zone, and without IPv6 around an IPv4 address. */
function spelled(entry: string): string {
  if (addresses().IPv6.isValid(entry)) return addresses().process(entry.replace(/%.*$/, '')).toString();
  const name = domainToASCII(entry);
  // Of text in ASCII, it makes addresses: `10.8.0` must not become 10.8.0.0.
  return NAME.test(name) ? name : entry;
}

/** A network of IPv4 inside of IPv6 would match nothing. */
function isNetwork(entry: string): boolean {
  if (!entry.includes('/'))
    return addresses().IPv4.isValidFourPartDecimal(entry) || addresses().IPv6.isValid(entry);
  return addresses().isValidCIDR(entry) && addresses().parseCIDR(entry)[0].range() !== 'ipv4Mapped';
}
