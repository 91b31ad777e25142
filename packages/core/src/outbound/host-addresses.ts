import { lookup, Resolver } from 'node:dns/promises';
import { isLocalHost } from '../kernel/local-host.js';
import { OutboundError } from './outbound-error.js';

/** Milliseconds after which a server of DNS is asked again, and how often it is asked. */
const TIMEOUTS = { timeout: 400, tries: 2 } as const;

/** The ways in which names are resolved. */
interface Resolution {
  /** Names of the configuration, which the operating system resolves: from its file of hosts, with its search domains. */
  readonly known: readonly string[];
  /** Servers of DNS as `address:port`. Defaults to those of the operating system. */
  readonly dnsServers?: readonly string[] | undefined;
}

/**
 * Returns every address of a host name that a user chose, by DNS alone. The resolver of the operating system occupies a thread for each
 * name until a server answers. There are few threads, and the owner of a domain decides when its server answers: all other lookups of the
 * process, such as that of the database, would wait.
 * @throws OutboundError `timeout` if no server answers; any other failure is an empty list.
 */
export async function addressesOfHost(name: string, { known, dnsServers }: Resolution): Promise<string[]> {
  if (known.includes(name) || isLocalHost(name)) return addressesHere(name);
  const resolver = new Resolver(TIMEOUTS);
  if (dnsServers) resolver.setServers(dnsServers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const isUnanswered = answers.some((answer) => answer.status === 'rejected' && isSilence(answer.reason));
  if (addresses.length === 0 && isUnanswered)
    throw new OutboundError('timeout', 'has a host name that was not resolved in time');
  return addresses;
}

const addressesHere = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true, verbatim: true }).catch(() => [])).map(({ address }) => address);

const isSilence = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === 'ETIMEOUT';
