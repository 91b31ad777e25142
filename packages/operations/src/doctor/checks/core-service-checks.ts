import { check, error, ok, reachCheck, skipped, warning, type Check } from '../check.js';
import { isProduction } from '../environment.js';

export const coreServiceChecks: readonly Check[] = [
  reachCheck({
    id: 'core.reachable',
    group: 'Core service',
    title: 'The core service returns entitlements',
    why: 'Access to companies cannot be resolved without it.',
    reaches: 'coreService',
    fix: 'check that it runs and that CORE_BASE_URL is its address',
    judge: ({ status, milliseconds }) => {
      const found = `${status} in ${Math.round(milliseconds)} ms`;
      if (status === 200 || status === 404) return ok(found);
      if (status === 401 || status === 403) {
        return error(
          `${found}: it does not accept our key`,
          'set CORE_INTERNAL_API_KEY to the internal key of the core service',
        );
      }
      if (status >= 300 && status < 400) {
        return error(`${found}: a redirect, which is not followed`, 'set CORE_BASE_URL to its target');
      }
      return error(found, 'check the log of the core service');
    },
  }),
  check({
    id: 'core.address',
    group: 'Core service',
    title: 'The key of the core service is encrypted in transit',
    why: 'It is sent with each request, and anyone who reads it in transit can query the core service, too.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const { baseUrl, apiKey } = settings.coreService;
      if (baseUrl === undefined) return skipped('CORE_BASE_URL is not set');
      if (apiKey === undefined) return warning('no key is sent', 'set CORE_INTERNAL_API_KEY');
      if (baseUrl.startsWith('https:') || !isProduction(settings)) return ok(baseUrl);
      return warning(
        baseUrl,
        'set CORE_BASE_URL to an https address, unless the network in between is your own',
      );
    },
  }),
];
