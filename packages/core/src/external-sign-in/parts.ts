import { ValueCipher } from '../encryption/value-cipher.js';
import { withOthers, type PartsOf } from '../kernel/assemble.js';
import type { Configured } from '../settings/settings.js';
import { ExternalAccounts } from './external-accounts.js';
import { ExternalFlows } from './external-flows.js';
import { ExternalLogout } from './external-logout.js';
import { ExternalProofs } from './external-proof.js';
import { ExternalProviders } from './external-providers.js';
import { ExternalSignInService } from './external-sign-in-service.js';
import { LinkedIdentities } from './linked-identities.js';

/** The parts that both the step-up and the sign-in take; undefined while no provider is configured. */
export interface ExternalBasis {
  readonly providers: ExternalProviders;
  readonly flows: ExternalFlows;
}

export interface Basis {
  readonly externalBasis: ExternalBasis | undefined;
}

type BasisParts = Configured & Omit<PartsOf<typeof ExternalFlows>, 'providers' | 'cipher'>;

type ProofParts = Basis & Omit<PartsOf<typeof ExternalProofs>, 'flows'>;

type ServiceParts = Configured &
  Basis &
  Omit<PartsOf<typeof ExternalAccounts>, 'signUp' | 'linkMethods'> &
  Omit<PartsOf<typeof LinkedIdentities>, 'providers' | 'passkeysEnabled'> &
  Omit<PartsOf<typeof ExternalLogout>, 'providers'> &
  Omit<
    PartsOf<typeof ExternalSignInService>,
    'flows' | 'accounts' | 'linked' | 'providers' | 'baseUrl' | 'redirectUris'
  >;

/** The parts that sign users in by other services. All undefined while none is configured. */
export const externalParts = {
  externalBasis: (parts: BasisParts): ExternalBasis | undefined => {
    const { external, encryption } = parts.settings;
    if (external.providers === undefined) return undefined;
    if (encryption.keys === undefined)
      throw new TypeError(
        'createAuth: settings.encryption.keys is needed for EXTERNAL_PROVIDERS (ENCRYPTION_KEYS)',
      );
    const providers = new ExternalProviders(external.providers.reveal());
    const cipher = new ValueCipher(encryption.keys.reveal());
    return { providers, flows: new ExternalFlows(withOthers(parts, { providers, cipher })) };
  },
  externalProofs: (parts: ProofParts) =>
    parts.externalBasis && new ExternalProofs(withOthers(parts, { flows: parts.externalBasis.flows })),
  external: servicesOf,
};

function servicesOf(parts: ServiceParts) {
  const { externalBasis, settings } = parts;
  if (!externalBasis) return undefined;
  const { providers, flows } = externalBasis;
  const { enabled: passkeysEnabled } = settings.passkeys;
  const { signUp, redirectUris } = settings.external;
  const linkMethods = ['password', ...(passkeysEnabled ? (['passkey'] as const) : [])] as const;
  const accounts = new ExternalAccounts(withOthers(parts, { signUp, linkMethods }));
  const linked = new LinkedIdentities(withOthers(parts, { providers, passkeysEnabled }));
  const { baseUrl } = settings.http;
  const service = { flows, accounts, linked, providers, baseUrl, redirectUris };
  return {
    signIn: new ExternalSignInService(withOthers(parts, service)),
    identities: linked,
    logout: new ExternalLogout(withOthers(parts, { providers })),
  };
}
