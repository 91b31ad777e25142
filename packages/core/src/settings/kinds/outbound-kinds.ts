import { createRequire } from 'node:module';
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
      const entry = part.toLowerCase().replace(/\.$/, '');
      if (isNetwork(entry) || NAME.test(entry)) return entry;
      return new Problem(`${quote(part)} is neither a host name nor an address or network`);
    });
    if (parts instanceof Problem) return parts;
    return { names: parts.filter((part) => !isNetwork(part)), networks: parts.filter(isNetwork) };
  },
);

const isNetwork = (entry: string): boolean =>
  entry.includes('/')
    ? addresses().isValidCIDR(entry)
    : addresses().IPv4.isValidFourPartDecimal(entry) || addresses().IPv6.isValid(entry);
