import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxmindDatabase, type MaxmindContent } from '../../../../test/support/maxmind-database.js';
import { GeoipDatabase } from './geoip-database.js';

const BERLIN = { country: { iso_code: 'DE' }, city: { names: { de: 'Berlin', en: 'Berlin' } } };
const MUNICH = { country: { iso_code: 'DE' }, city: { names: { de: 'München', en: 'Munich' } } };
const BUILT_AT = new Date('2026-11-01T00:00:00Z');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-geoip-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(content: Buffer | string): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.mmdb`);
  await writeFile(path, content);
  return path;
}

const databaseOf = async (content: MaxmindContent): Promise<GeoipDatabase> =>
  GeoipDatabase.open(await fileOf(maxmindDatabase(content)));

describe('a database with cities', () => {
  let database: GeoipDatabase;
  beforeAll(async () => {
    database = await databaseOf({
      builtAt: BUILT_AT,
      networks: {
        '85.214.0.0/16': BERLIN,
        '2a01:238::/32': MUNICH,
        '81.2.69.0/24': { country: { iso_code: 'GB' } },
        '10.0.0.0/8': BERLIN,
        '127.0.0.0/8': BERLIN,
        'fd00::/8': BERLIN,
        '1.0.0.0/24': { continent: { code: 'OC' } },
        '1.0.1.0/24': { country: { iso_code: 'x' } },
        '1.0.2.0/24': { country: { iso_code: 'FR' }, city: 'Lyon' },
        '1.0.3.0/24': 'France',
      },
    });
  });

  it('reports its type and the time at which it was built', () => {
    expect(database).toMatchObject({ type: 'GeoLite2-City', builtAt: BUILT_AT });
  });

  it.each([
    ['of IPv4', '85.214.132.117', { country: 'DE', city: 'Berlin' }],
    ['of IPv4 in the form of IPv6', '::ffff:85.214.132.117', { country: 'DE', city: 'Berlin' }],
    [
      'of IPv4 in the form of IPv6, in hexadecimal digits',
      '::ffff:55d6:8475',
      { country: 'DE', city: 'Berlin' },
    ],
    ['of IPv6', '2a01:238:20a:202:1000::25', { country: 'DE', city: 'Munich' }],
    ['whose city is not known', '81.2.69.142', { country: 'GB' }],
    ['whose record has a city in another form', '1.0.2.1', { country: 'FR' }],
  ])('knows the place of an address %s', (_what, address, place) => {
    expect(database.placeOf(address)).toEqual(place);
  });

  it.each([
    ['no address', null],
    ['an empty text', ''],
    ['a text that is no address', 'unknown'],
    ['a number, which some parsers take for an address', '1423385717'],
    ['an address that the database lacks', '8.8.8.8'],
    ['an IPv6 address that the database lacks', '2001:4860:4860::8888'],
    ['a private address', '10.1.2.3'],
    ['an address of this machine', '127.0.0.1'],
    ['an address of this machine in the form of IPv6', '::ffff:127.0.0.1'],
    ['a private IPv6 address', 'fd00::1'],
    ['an address of one link, with its zone', 'fe80::1%eth0'],
    ['a network whose country is not known', '1.0.0.1'],
    ['a record whose country is no code', '1.0.1.1'],
    ['a record in another form', '1.0.3.1'],
  ])('knows no place of %s', (_what, address) => {
    expect(database.placeOf(address)).toBeUndefined();
  });
});

describe('a database of another kind', () => {
  it('with countries only has places without a city', async () => {
    const networks = { '85.214.0.0/16': { country: { iso_code: 'DE' } } };
    const database = await databaseOf({ type: 'DBIP-Country-Lite', networks });
    expect(database.placeOf('85.214.132.117')).toEqual({ country: 'DE' });
  });

  it('with IPv4 addresses only has no place of an IPv6 address with the same first bytes', async () => {
    const database = await databaseOf({ ipVersion: 4, networks: { '32.1.0.0/16': BERLIN } });
    expect(database.placeOf('32.1.0.1')).toEqual({ country: 'DE', city: 'Berlin' });
    expect(database.placeOf('2001:4860:4860::8888')).toBeUndefined();
  });

  it('with a damaged record has no place of its addresses, and does not fail', async () => {
    const content = maxmindDatabase({ networks: { '85.214.0.0/16': BERLIN } });
    content[content.indexOf('Berlin') - 1] = 0;
    const database = await GeoipDatabase.open(await fileOf(content));
    expect(database.placeOf('85.214.132.117')).toBeUndefined();
  });
});

describe('a file that cannot be used', () => {
  const database = maxmindDatabase({ networks: { '85.214.0.0/16': BERLIN } });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['does not exist', () => Promise.resolve(join(folder, 'nowhere.mmdb')), /^does not exist$/],
    ['is a folder', () => Promise.resolve(folder), /^cannot be read \(EISDIR\)$/],
    ['is empty', () => fileOf(''), /^is no database in the MaxMind DB format/],
    [
      'has another format',
      () => fileOf('network,geoname_id\n'.repeat(100)),
      /^is no database in the MaxMind DB format/,
    ],
    ['is packed', () => fileOf(gzipSync(database)), /unpack the \.mmdb file$/],
    ['was cut', () => fileOf(database.subarray(0, -40)), /^is no database in the MaxMind DB format/],
    [
      'has neither cities nor countries',
      () => fileOf(maxmindDatabase({ type: 'GeoLite2-ASN', networks: {} })),
      /^has the type GeoLite2-ASN, which has no cities and countries$/,
    ],
    [
      'has countries in another form',
      () =>
        fileOf(maxmindDatabase({ type: 'ipinfo location', networks: { '85.0.0.0/8': { country: 'DE' } } })),
      /^has the type ipinfo location, whose countries are not in the form of GeoIP2$/,
    ],
  ])('that %s is refused with the reason', async (_what, pathOf, reason) => {
    await expect(GeoipDatabase.open(await pathOf())).rejects.toThrow(reason);
  });
});
