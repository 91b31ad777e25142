import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Database } from './database.js';
import { networkInput, whereInNetwork } from './network.js';

const RECORDED = [
  '192.0.2.1',
  '192.0.2.31',
  '192.0.2.32',
  '192.0.20.1',
  '192.0.3.7',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '172.32.0.1',
  '2001:db8::1',
  '2001:db8:0:5::1',
  '2001:db8:5::1',
  '2001:db8::5:0:0:1',
  '2001:db80::1',
  'fe80::1:2:3:4',
  'fe80::1:2:3:4:5',
  'fe80:0:0:1::7',
  'not an address',
];

describe('a filter by network', () => {
  let database: Database;
  beforeAll(() => {
    database = new Database({ url: inject('postgres').url, poolMax: 1, preparedStatements: false });
  });
  afterAll(() => database.close());

  const found = (network: string): Promise<string[]> =>
    database.run(async (knex) => {
      const recorded = knex.select(knex.raw('unnest(?::text[]) AS address', [RECORDED])).as('recorded');
      const query = knex.from(recorded).select<{ address: string }[]>('address');
      whereInNetwork(query, 'address', networkInput.parse(network));
      return (await query).map(({ address }) => address);
    });

  it.each([
    ['192.0.2.1', ['192.0.2.1']],
    ['192.0.2.0/27', ['192.0.2.1', '192.0.2.31']],
    ['192.0.2.9/24', ['192.0.2.1', '192.0.2.31', '192.0.2.32']],
    ['192.0.2.0/23', ['192.0.2.1', '192.0.2.31', '192.0.2.32', '192.0.3.7']],
    ['172.16.0.0/12', ['172.16.0.1', '172.31.255.255']],
    ['10.0.0.0/8', ['10.1.2.3']],
    ['192.0.2.32/32', ['192.0.2.32']],
    ['2001:DB8:0:0::1', ['2001:db8::1']],
    ['2001:db8::/32', ['2001:db8::1', '2001:db8:0:5::1', '2001:db8:5::1', '2001:db8::5:0:0:1']],
    ['2001:db8::/48', ['2001:db8::1', '2001:db8:0:5::1', '2001:db8::5:0:0:1']],
    ['2001:db8::/64', ['2001:db8::1', '2001:db8::5:0:0:1']],
    ['fe80::/64', ['fe80::1:2:3:4']],
    ['fe80:0:0:1::/64', ['fe80:0:0:1::7', 'fe80::1:2:3:4:5']],
    ['::ffff:10.1.2.3', ['10.1.2.3']],
  ])('finds for %s the addresses that it contains', async (network, expected) => {
    expect((await found(network)).toSorted()).toEqual([...expected].toSorted());
  });

  it.each([
    '',
    'here',
    '192.0.2',
    '192.0.2.0/7',
    '192.0.2.0/33',
    '192.0.2.0/',
    '2001:db8::/40',
    'fe80::1%eth0',
    '1.2.3.4/8/8',
  ])('refuses %j with the forms that it takes', (text) => {
    const { error } = networkInput.safeParse(text);
    expect(error?.issues[0]?.message).toContain('must be an IP address, an IPv4 network of 8 to 32 bits');
  });
});
