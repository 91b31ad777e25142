/** Which servers of a list are used: `any` is the first that answers, `read-write` the one that accepts writes. */
type TargetSession = 'any' | 'read-write';

interface DatabaseHosts {
  /** One address for each host, in the order of the list. */
  urls: [string, ...string[]];
  /** As `target_session_attrs` says; undefined without it. */
  target: TargetSession | undefined;
}

const FORM = /^(?<scheme>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>[^]*)$/i;
const PARAMETER = 'target_session_attrs';
/** The values of libpq that make sense for a service that writes; `primary` differs only on a read-only primary. */
const TARGETS: Record<string, TargetSession> = {
  any: 'any',
  'read-write': 'read-write',
  primary: 'read-write',
};

/**
 * Splits an address with a list of hosts, as libpq accepts it, into addresses with one host each: the driver knows
 * neither lists nor `target_session_attrs`. Throws TypeError for another value of that parameter.
 */
export function splitDatabaseHosts(url: string): DatabaseHosts {
  const { scheme = '', hosts = '', rest = '' } = FORM.exec(url)?.groups ?? { rest: url };
  const { text, target } = takeTarget(rest);
  const [first = '', ...others] = hosts.split(',').map((host) => scheme + host + text);
  return { urls: [first, ...others], target };
}

/** Returns host and port of an address with one host, for messages: no user, password or parameter. */
export const shownHost = (url: string): string => FORM.exec(url)?.groups?.hosts ?? '';

function takeTarget(rest: string): { text: string; target: TargetSession | undefined } {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#[^]*)?$/.exec(rest) ?? [];
  if (query === undefined) return { text: rest, target: undefined };
  const parameters = query.split('&');
  const [given] = parameters.flatMap((each) =>
    each.startsWith(`${PARAMETER}=`) ? [each.slice(PARAMETER.length + 1)] : [],
  );
  const others = parameters.filter((each) => !each.startsWith(`${PARAMETER}=`));
  return {
    text: path + (others.length > 0 ? `?${others.join('&')}` : '') + fragment,
    target: given === undefined ? undefined : targetOf(given),
  };
}

function targetOf(value: string): TargetSession {
  const target = TARGETS[value];
  if (target === undefined) {
    throw new TypeError(`${PARAMETER} is none of ${Object.keys(TARGETS).join(', ')}`);
  }
  return target;
}
