import type { ImportRecordInput } from '../import-record.js';

/** An account at another service, as a source names it. */
interface SourceIdentity {
  /** The name of the service there. */
  readonly provider: string;
  readonly subject: string | undefined;
}

const MAX_IDENTITIES = 10;
const MAX_PROVIDER = 64;
const MAX_SUBJECT = 255;

const LEFT_OUT = 'A sign-in with another provider is left out.';
const ADDRESS =
  'A sign-in with another provider is left out: the export names an address in place of its subject.';

/**
 * Returns the identities of a user that can be carried over, with our names of their providers. An address is never taken as a subject:
 * it may be another person's by now.
 * @param nameOf returns our name of a provider; undefined if the source has no subjects of its ID tokens or, for GitHub, its API.
 */
export function identitiesOf(
  identities: readonly SourceIdentity[],
  nameOf: (provider: string) => string | undefined,
  notes: string[],
): ImportRecordInput['identities'] {
  const usable: { provider: string; subject: string }[] = [];
  const left = new Set<string>();
  for (const { provider: named, subject } of identities) {
    const provider = nameOf(named);
    const isUsable =
      provider !== undefined &&
      provider.length <= MAX_PROVIDER &&
      subject !== undefined &&
      subject.length <= MAX_SUBJECT &&
      usable.length < MAX_IDENTITIES;
    if (isUsable && subject.includes('@')) left.add(ADDRESS);
    else if (isUsable) usable.push({ provider, subject });
    else left.add(LEFT_OUT);
  }
  notes.push(...left);
  return usable.length === 0 ? undefined : usable;
}

/** Returns a function from the names of a source to ours. */
export const namesOf =
  (names: Readonly<Record<string, string>>) =>
  (provider: string): string | undefined =>
    Object.hasOwn(names, provider) ? names[provider] : undefined;
