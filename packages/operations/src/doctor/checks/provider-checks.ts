import { error, ok, reachCheck, type Check } from '../check.js';

export const providerChecks: readonly Check[] = [
  reachCheck({
    id: 'external.reachable',
    group: 'External sign-in',
    title: 'The services by which users sign in publish their addresses and keys',
    why: 'Their sign-ins are answered with 503 otherwise.',
    reaches: 'providers',
    fix: 'check EXTERNAL_PROVIDERS, and that this machine reaches these services',
    judge: (providers) => {
      const failed = providers.filter(({ problem }) => problem !== null);
      if (failed.length === 0) return ok(providers.map(({ id }) => id).join(', '));
      return error(
        failed.map(({ id, problem }) => `${id}: ${problem}`).join('; '),
        'correct issuer, tenant, type and privateKeyFile in EXTERNAL_PROVIDERS, or let this machine reach them; latchkey providers check asks again',
      );
    },
  }),
];
