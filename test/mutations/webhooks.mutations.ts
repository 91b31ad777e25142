import type { Mutation } from './mutation.js';

const INNER =
  'No user reaches an inner network through an address that they choose: it is checked when it is entered and for every message, in every notation, and the connection goes to an address that was checked.';
const DELAYS =
  'A slow receiver, or a domain whose name servers do not answer, delays neither other receivers nor what else the service looks up.';
const TESTS =
  'At most ten tests of a receiver wait: an administrator cannot fill the queue of one that does not answer.';
const RESPONSES = 'Of what a receiver responds, administrators see the status and the kind of failure.';
const ONCE =
  'A message is queued exactly once if its cause was committed, and never otherwise. It contains no personal data beyond ids.';
const SIGNED = 'A message is signed, and the secrets of endpoints are encrypted in the database.';
const COMPANIES =
  'A company receives events of that company only, and its administrators see and change no endpoint of others.';

const DELIVERIES = 'packages/core/src/webhooks/webhook-delivery-repository.ts';
const EVENTS = 'packages/core/src/webhooks/webhook-event.ts';

/** Defects in webhooks, and in the way to addresses of others. */
export const webhooksMutations: readonly Mutation[] = [
  {
    promise: INNER,
    defect: 'a public address among private ones suffices',
    file: 'packages/core/src/outbound/outbound.ts',
    from: 'if (!addresses.every(isAllowed))',
    to: 'if (!addresses.some(isAllowed))',
  },
  {
    promise: INNER,
    defect: 'the name is resolved again for the connection',
    file: 'packages/core/src/outbound/outbound.ts',
    from: '      lookup: lookupOf(addresses),\n',
    to: '',
  },
  {
    promise: INNER,
    defect: 'addresses inside of 6to4 are not looked at',
    file: 'packages/core/src/outbound/address-rule.ts',
    from: 'if (isInAny(address, SIX_TO_FOUR())) return ipv4Of(bytes.slice(2, 6));',
    to: '',
  },
  {
    promise: INNER,
    defect: 'a network opens services of credentials',
    file: 'packages/core/src/outbound/address-rule.ts',
    from: 'if (isInAny(address, METADATA())) return false;',
    to: '',
  },
  {
    promise: DELAYS,
    defect: 'names that users chose are looked up in the threads of the process',
    file: 'packages/core/src/outbound/host-addresses.ts',
    from: 'if (known.includes(name) || isLocalHost(name))',
    to: "if (name !== '')",
  },
  {
    promise: TESTS,
    defect: 'any number of tests is queued',
    file: DELIVERIES,
    from: 'LIMIT 100) newest) < $5::int',
    to: 'LIMIT 100) newest) < $5::int + 1000',
  },
  {
    promise: DELAYS,
    defect: 'what has waited longest is sent first, however busy its endpoint is',
    file: DELIVERIES,
    from: 'ORDER BY array_position((SELECT ids FROM first), d.id)',
    to: 'ORDER BY d.next_attempt_at',
  },
  {
    promise: ONCE,
    defect: 'entries of running transactions are skipped',
    file: DELIVERIES,
    from: 'AND transaction_id < pg_snapshot_xmin(pg_current_snapshot()) AND occurred_at',
    to: 'AND occurred_at',
  },
  {
    promise: ONCE,
    defect: 'details are part of messages',
    file: EVENTS,
    from: '    actor: actorKindOf(entry.actor),\n',
    to: '    actor: entry.actor,\n',
  },
  {
    promise: SIGNED,
    defect: 'the id is not signed',
    file: 'packages/core/src/webhooks/webhook-signature.ts',
    from: 'update(`${id}.${timestamp}.${body}`)',
    to: 'update(`${id === "" ? id : ""}.${timestamp}.${body}`)',
  },
  {
    promise: COMPANIES,
    defect: 'a company receives events of others',
    file: EVENTS,
    from: 'if (!isOfCompany || endpoint.companyId !== companyId) return false;',
    to: 'if (!isOfCompany || companyId === "") return false;',
  },
  {
    promise: COMPANIES,
    defect: 'an endpoint of another owner is changed',
    file: 'packages/core/src/webhooks/webhook-service.ts',
    from: '      if (endpoint?.companyId !== companyId) throw notFound();\n      return change',
    to: '      if (!endpoint) throw notFound();\n      return change',
  },
  {
    promise: RESPONSES,
    defect: 'the failure of a receiver is not recorded',
    file: 'packages/core/src/webhooks/webhook-sender.ts',
    from: "        status,\n        lastError: 'status',\n",
    to: "        status: 200,\n        lastError: 'status',\n",
  },
  {
    promise: COMPANIES,
    defect: 'a creator who has left the company is notified of its endpoint',
    file: 'packages/core/src/webhooks/webhook-endpoint-repository.ts',
    from: "WHERE id = $1::uuid AND global_role IN ('PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN') UNION",
    to: 'WHERE id = $1::uuid UNION',
  },
];
