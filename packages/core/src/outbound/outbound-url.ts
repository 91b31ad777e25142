import { isLocalHost } from '../kernel/local-host.js';
import { OutboundError } from './outbound-error.js';

/** The rules for URLs that depend on the configuration. */
export interface UrlRules {
  /** Ports of https. */
  readonly ports: readonly number[];
  /** True: http and any port to this machine are allowed. Never in production. */
  readonly allowLoopback: boolean;
}

const MAX_LENGTH = 2_048;
const DEFAULT_PORT = 443;

/**
 * Returns the URL if its text alone breaks no rule. Host names that are written as numbers, such as `0x7f.1`, come out as the
 * addresses they mean.
 * @throws OutboundError `refused`
 */
export function checkUrl(text: string, { ports, allowLoopback }: UrlRules): URL {
  if (text.length > MAX_LENGTH) throw new OutboundError('refused', 'length');
  const url = parse(text);
  const isLocal = allowLoopback && isLocalHost(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw new OutboundError('refused', 'scheme');
  if (url.username !== '' || url.password !== '') throw new OutboundError('refused', 'credentials');
  if (text.includes('#')) throw new OutboundError('refused', 'fragment');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  if (!isLocal && !ports.includes(port)) throw new OutboundError('refused', 'port');
  return url;
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new OutboundError('refused', 'url');
  }
}

/** Returns the host of a URL as names are compared: without brackets, and without the dot of a fully qualified name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
