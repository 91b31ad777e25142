import { check, error, ok, reachCheck, skipped, warning, type Check } from '../check.js';
import { isProduction } from '../situation.js';

export const coreServiceChecks: readonly Check[] = [
  reachCheck({
    id: 'core.reachable',
    group: 'Core service',
    title: 'The core service answers about entitlements',
    why: "Nobody's access in a company can be resolved without it.",
    reaches: 'coreService',
    fix: 'check that it runs, and that CORE_BASE_URL leads to it',
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
        return error(`${found}: a redirect, which is not followed`, 'set CORE_BASE_URL to where it leads');
      }
      return error(found, 'see the log of the core service');
    },
  }),
  check({
    id: 'core.address',
    group: 'Core service',
    title: 'The key of the core service travels encrypted',
    why: 'It is sent with each question, and whoever reads it on the way can ask the core service, too.',
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
