import { hostList, portList } from '../kinds/outbound-kinds.js';
import { defaulted, optional } from '../setting-definition.js';

export const outboundDefinitions = [
  defaulted({
    name: 'OUTBOUND_PORTS',
    group: 'Outbound requests',
    kind: portList,
    default: '443',
    description:
      'Ports of https to which the service connects when users chose the address, such as that of a webhook. Addresses of this ' +
      'configuration are not concerned.',
    example: '443,8443',
  }),
  optional({
    name: 'OUTBOUND_ALLOWED',
    group: 'Outbound requests',
    kind: hostList,
    default: 'unset: only addresses on the public internet',
    description:
      'Host names, addresses and networks (CIDR) to which users may let the service connect although they are not on the public ' +
      'internet. Addresses from which clouds serve credentials, such as 169.254.169.254, stay closed unless they are named singly.',
    example: 'hooks.internal,10.8.0.0/16',
  }),
] as const;
