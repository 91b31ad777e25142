import type { ExternalProviderType } from '@latchkey/core/internal/settings/external-provider-settings';
import type { ImportRecord } from './import-record.js';

/** A connection of EXTERNAL_PROVIDERS, by which users sign in. */
export interface ImportConnection {
  readonly id: string;
  readonly type: ExternalProviderType;
}

/** The identities of a user with the connections of this service, and what of them is left out. */
interface KnownIdentities {
  readonly identities: ImportRecord['identities'];
  readonly notes: readonly string[];
}

const NO_PROVIDERS = 'identities: are left out, because EXTERNAL_PROVIDERS is not set here';
const UNKNOWN_PROVIDER =
  'identities: one is left out, because EXTERNAL_PROVIDERS has no connection with the id of its provider, and not one only of its type';
const SAME_TWICE = 'identities: one is there twice';

/**
 * Gives identities the connections of this service: the one with the id of the provider, or the only one of that type. One without a
 * connection would sign no one in, and would still look like a way in.
 */
export function knownIdentities(
  { identities }: ImportRecord,
  connections: readonly ImportConnection[],
): KnownIdentities {
  if (identities.length === 0) return NONE;
  if (connections.length === 0) return { identities: [], notes: [NO_PROVIDERS] };
  const known = new Map<string, ImportRecord['identities'][number]>();
  const notes = new Set<string>();
  for (const identity of identities) {
    const provider = connectionOf(identity.provider, connections);
    const key = JSON.stringify([provider, identity.subject]);
    if (provider === undefined) notes.add(UNKNOWN_PROVIDER);
    else if (known.has(key)) notes.add(SAME_TWICE);
    else known.set(key, { ...identity, provider });
  }
  return { identities: [...known.values()], notes: [...notes] };
}

function connectionOf(provider: string, connections: readonly ImportConnection[]): string | undefined {
  if (connections.some(({ id }) => id === provider)) return provider;
  const [first, ...others] = connections.filter(({ type }) => type === provider && type !== 'oidc');
  return others.length === 0 ? first?.id : undefined;
}

const NONE: KnownIdentities = { identities: [], notes: [] };
