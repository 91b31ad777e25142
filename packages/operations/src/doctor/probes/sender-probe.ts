import type { MxRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';

export interface SenderFacts {
  domain: string;
  /** True if the domain receives mail: by an MX record or, without one, by an address (RFC 5321, section 5.1). */
  takesMail: boolean;
  /** True if a record lists the servers that may send for it (RFC 7208). */
  hasSpf: boolean;
}

/** Codes of a name server for a definite absence. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

/** @param from `MAIL_FROM`: an address, or a name with one in angle brackets. */
export async function probeSender(from: string): Promise<SenderFacts> {
  const domain = domainOf(from);
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const [exchanges, addresses, texts] = await Promise.all([
    answered(resolver.resolveMx(domain)),
    answered(resolver.resolve4(domain)),
    answered(resolver.resolveTxt(domain)),
  ]);
  return {
    domain,
    takesMail: exchanges.length > 0 ? exchanges.some(isSomewhere) : addresses.length > 0,
    hasSpf: texts.some((parts) => /^v=spf1(?: |$)/i.test(parts.join(''))),
  };
}

/** Returns false for a single exchange without a name, which means that the domain accepts no mail (RFC 7505). */
const isSomewhere = ({ exchange }: MxRecord): boolean => exchange !== '' && exchange !== '.';

export const domainOf = (from: string): string =>
  (/@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? '').toLowerCase().replace(/\.$/, '');

async function answered<T>(lookup: Promise<T[]>): Promise<T[]> {
  try {
    return await lookup;
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
