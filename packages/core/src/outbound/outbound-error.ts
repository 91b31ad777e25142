/** The rule that refused a request before anything was sent. */
export type OutboundRule =
  | 'url'
  | 'scheme'
  | 'port'
  | 'credentials'
  | 'fragment'
  | 'length'
  | 'name'
  | 'address';

/** The failure of a request to the outside: `refused` by a rule, else by the connection or the response. */
type OutboundFailure = 'refused' | 'timeout' | 'tls' | 'connection' | 'response';

const MESSAGES: Record<OutboundRule, string> = {
  url: 'is not an absolute URL',
  scheme: 'must begin with https://',
  port: 'has a port that OUTBOUND_PORTS does not contain; leave the port out, or have the operator add it',
  credentials: 'must not contain a user name or password',
  fragment: 'must not contain a fragment (#)',
  length: 'must have at most 2,048 characters',
  name: 'has a host name that cannot be resolved; check the name',
  address:
    'has a host that is not on the public internet; have the operator add it to OUTBOUND_ALLOWED if that is intended',
};

/**
 * The error of a request to an address that a user chose. Its message names a rule or a kind of
 * failure, never what a host answered: that user may not read an inner network through the service.
 */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  /** Set if `failure` is `refused`. */
  readonly rule: OutboundRule | undefined;

  constructor(failure: Exclude<OutboundFailure, 'refused'>, message: string);
  constructor(failure: 'refused', rule: OutboundRule);
  constructor(failure: OutboundFailure, detail: string) {
    const rule = failure === 'refused' ? (detail as OutboundRule) : undefined;
    super(rule ? MESSAGES[rule] : detail);
    this.name = 'OutboundError';
    this.failure = failure;
    this.rule = rule;
  }
}
