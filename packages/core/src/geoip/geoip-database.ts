import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { open, type Reader, type Response } from 'maxmind';
import { z } from 'zod';
import type { place } from './place-schema.js';

/** The approximate place of an IP address, as a GeoIP database has it: often wrong, and no base of a decision. */
type Place = z.output<typeof place>;

/** Records that are kept decoded. Each has names in several languages. */
const CACHED_RECORDS = 1_000;

/** Parts of the types whose records have a country, such as `GeoLite2-City` and `DBIP-Country-Lite`. */
const HAS_COUNTRIES = /city|country|enterprise|location/i;

/** An address in each network of 8 bits. Some databases have the types and not the form of GeoIP2, and so no places. */
const SAMPLE = Array.from({ length: 223 }, (_, index) => `${index + 1}.8.8.8`);

/** The parts of a record that are read. A network may have no country, or a country without a city. */
const record = z.object({
  country: z.object({ iso_code: z.string().regex(/^[A-Z]{2}$/) }),
  city: z
    .object({ names: z.object({ en: z.string().min(1) }) })
    .optional()
    .catch(undefined),
});

/** Loads the database; undefined if none is configured. */
export type Places = () => Promise<GeoipDatabase | undefined>;

/** A file in the MaxMind DB format, read into memory once. It is never read again. */
export class GeoipDatabase {
  readonly #reader: Reader<Response>;

  private constructor(reader: Reader<Response>) {
    this.#reader = reader;
  }

  /** Reads a file. @throws Error whose message completes the sentence "the file …". */
  static async open(path: string): Promise<GeoipDatabase> {
    const database = new GeoipDatabase(await readerOf(path));
    const { type, builtAt } = database;
    if (typeof type !== 'string' || Number.isNaN(builtAt.getTime())) throw new Error(FOREIGN);
    if (!HAS_COUNTRIES.test(type)) throw new Error(`has the type ${type}, which has no cities and countries`);
    if (!database.#isReadable())
      throw new Error(`has the type ${type}, whose countries are not in the form of GeoIP2`);
    return database;
  }

  /** The type that the database gives itself, such as `GeoLite2-City`. */
  get type(): string {
    return this.#reader.metadata.databaseType;
  }

  get builtAt(): Date {
    return this.#reader.metadata.buildEpoch;
  }

  /** Returns the approximate place of an address; undefined for one that is unknown, not public or no address. */
  placeOf(ipAddress: string | null): Place | undefined {
    const address = publicAddressOf(ipAddress);
    // A tree of IPv4 addresses would find the first four bytes of another.
    if (!address || (address.kind() === 'ipv6' && this.#reader.metadata.ipVersion === 4)) return undefined;
    const { data } = record.safeParse(this.#recordOf(address.toString()));
    if (!data) return undefined;
    const { country, city } = data;
    return { country: country.iso_code, ...(city && { city: city.names.en }) };
  }

  /** Reports whether a country can be read of any record in a sample, if that has records. */
  #isReadable(): boolean {
    const records = SAMPLE.map((address) => this.#recordOf(address)).filter(Boolean);
    return records.length === 0 || records.some((each) => record.safeParse(each).success);
  }

  /** A damaged record hides a place, and not the session that has it. */
  #recordOf(address: string): unknown {
    try {
      return this.#reader.get(address);
    } catch {
      return undefined;
    }
  }
}

const FOREIGN = 'is no database in the MaxMind DB format, or packed: unpack the .mmdb file';

async function readerOf(path: string): Promise<Reader<Response>> {
  try {
    return await open(path, { cache: { max: CACHED_RECORDS } });
  } catch (cause) {
    throw new Error(reasonOf(cause as NodeJS.ErrnoException), { cause });
  }
}

/** Errors of the operating system name the call that failed; the others are about the content. */
function reasonOf({ code, syscall }: NodeJS.ErrnoException): string {
  if (syscall === undefined) return FOREIGN;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}

/** Returns the address, an IPv4 address also for its form in IPv6, if it is one of the public internet. */
function publicAddressOf(text: string | null): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text === null || isIP(text) === 0) return undefined;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' ? address : undefined;
}
