import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { isAllowedAddress } from './address-rule.js';

const NOTHING = { names: [], networks: [] };
const isAllowed = (address: string): boolean => isAllowedAddress(address, 'hooks.example.com', NOTHING);

/** The special-purpose address registry of IPv4 (RFC 6890 and its updates), and multicast. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
];

/** The one of IPv6, what is not assigned, and multicast. */
const SPECIAL_IPV6 = [
  '::/128',
  '::1/128',
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001:1::/32',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001:db8::/32',
  '2620:4f:8000::/48',
  '3fff::/20',
  '4000::/3',
  '5f00::/16',
  '8000::/1',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Addresses of a network, by random bits behind its prefix. */
function inside(cidr: string): fc.Arbitrary<string> {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const prefix = network.toByteArray();
  return fc.uint8Array({ minLength: prefix.length, maxLength: prefix.length }).map((random) => {
    const bytes = prefix.map((byte, index) => {
      const kept = Math.min(8, Math.max(0, bits - index * 8));
      const mask = (0xff << (8 - kept)) & 0xff;
      return (byte & mask) | ((random[index] ?? 0) & ~mask & 0xff);
    });
    return ipaddr.fromByteArray(bytes).toString();
  });
}

const bytesOf = (address: string): number[] => ipaddr.parse(address).toByteArray();
const join = (...bytes: number[]): string => ipaddr.fromByteArray(bytes).toString();

/** The forms in which an IPv4 address is inside of an IPv6 address. */
const WRAPPED: Record<string, (ipv4: string) => string> = {
  'an IPv4-mapped address': (ipv4) => `::ffff:${ipv4}`,
  NAT64: (ipv4) => join(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, ...bytesOf(ipv4)),
  '6to4': (ipv4) => join(0x20, 0x02, ...bytesOf(ipv4), 0, 1, 0, 0, 0, 0, 0, 0, 0, 1),
  Teredo: (ipv4) =>
    join(0x20, 0x01, 0, 0, 8, 8, 8, 8, 0, 0, 1, 1, ...bytesOf(ipv4).map((byte) => byte ^ 0xff)),
};

describe('every special network is refused', () => {
  for (const cidr of [...SPECIAL_IPV4, ...SPECIAL_IPV6]) {
    it(`no address of ${cidr} is allowed`, () => {
      fc.assert(
        fc.property(inside(cidr), (address) => !isAllowed(address)),
        { numRuns: 200 },
      );
    });
  }

  for (const [form, wrap] of Object.entries(WRAPPED)) {
    it(`no special IPv4 address is allowed inside of ${form}`, () => {
      const special = fc.constantFrom(...SPECIAL_IPV4).chain(inside);
      fc.assert(
        fc.property(special, (address) => !isAllowed(wrap(address))),
        { numRuns: 2_000 },
      );
    });
  }
});

it('an IPv4 address is allowed exactly if no special network has it, in every form', () => {
  const networks = [...SPECIAL_IPV4, '168.63.129.16/32'].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));
  fc.assert(
    fc.property(inside('0.0.0.0/0'), (address) => {
      const isSpecial = networks.some((network) => ipaddr.IPv4.parse(address).match(network));
      const forms = [address, ...Object.values(WRAPPED).map((wrap) => wrap(address))];
      return forms.every((form) => isAllowed(form) === !isSpecial);
    }),
    { numRuns: 3_000 },
  );
});

it('addresses of the public internet are allowed', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '64:ff9b::101:101',
  ])
    expect(isAllowed(address)).toBe(true);
});

describe('an operator opens private receivers on purpose', () => {
  const allows = (address: string, networks: string[], names: string[] = []): boolean =>
    isAllowedAddress(address, 'hooks.internal', { names, networks });

  it('a network opens its addresses and no others', () => {
    expect(allows('10.8.3.4', ['10.8.0.0/16'])).toBe(true);
    expect(allows('10.9.3.4', ['10.8.0.0/16'])).toBe(false);
    expect(allows('fd12::1', ['fd12::/16', '10.8.0.0/16'])).toBe(true);
  });

  it('a name opens the addresses of that name and of no other', () => {
    expect(allows('10.8.3.4', [], ['hooks.internal'])).toBe(true);
    expect(allows('10.8.3.4', [], ['other.internal'])).toBe(false);
  });

  it('a service of credentials stays closed unless its address is named', () => {
    for (const address of [
      '169.254.169.254',
      'fd00:ec2::254',
      '100.100.100.200',
      '168.63.129.16',
      'fe80::1',
    ]) {
      expect(allows(address, ['0.0.0.0/0', '::/0', '169.254.0.0/16', 'fd00::/8', '100.64.0.0/10'])).toBe(
        false,
      );
      expect(allows(address, [], ['hooks.internal'])).toBe(false);
      expect(allows(address, [address])).toBe(true);
    }
  });

  it('an address that means every address of this machine cannot be opened', () => {
    expect(allows('0.0.0.0', ['0.0.0.0', '0.0.0.0/0'], ['hooks.internal'])).toBe(false);
    expect(allows('::', ['::/0'])).toBe(false);
  });
});
