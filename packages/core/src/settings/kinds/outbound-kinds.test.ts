import { expect, it } from 'vitest';
import { hostList, portList } from './outbound-kinds.js';

it('ports are read from a list, and anything else is rejected', () => {
  expect(portList.schema.parse('443, 8443')).toEqual([443, 8443]);
  for (const text of ['0', '65536', 'https', '443;8443', '-1', ','])
    expect(portList.schema.safeParse(text).success).toBe(false);
});

it('names and networks are distinguished', () => {
  expect(hostList.schema.parse('Hooks.Internal., 10.8.0.0/16, 10.1.2.3, fd00:ec2::254, localhost')).toEqual({
    names: ['hooks.internal', 'localhost'],
    networks: ['10.8.0.0/16', '10.1.2.3', 'fd00:ec2::254'],
  });
});

it('names and addresses are spelled as they are compared', () => {
  expect(
    hostList.schema.parse(
      'Bücher.example, xn--bcher-kva.example., FD00:0:0::1, fe80::1%eth0, ::ffff:10.1.2.3',
    ),
  ).toEqual({
    names: ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    networks: ['fd00::1', 'fe80::1', '10.1.2.3'],
  });
});

it('what is neither a name nor an address is rejected, so that a slip opens nothing', () => {
  for (const text of [
    'https://hooks.internal',
    'hooks.internal:8443',
    '*.internal',
    '10.8.0.0/33',
    '10.8.0',
    '0x7f.1',
    '10.8.0.0-10.8.0.9',
    '１０.8.0',
    // No address is compared with it.
    '::ffff:10.8.0.0/112',
  ])
    expect(hostList.schema.safeParse(text).success).toBe(false);
});
