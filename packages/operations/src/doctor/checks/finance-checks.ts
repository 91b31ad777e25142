import { check, error, ok, reachCheck, warning, type Check } from '../check.js';

const NEEDED = ['id', 'code', 'name'];

export const financeChecks: readonly Check[] = [
  reachCheck({
    id: 'finance.reachable',
    group: 'Finance database',
    title: 'The finance database answers',
    why: 'Companies cannot be resolved without it, and /ready fails.',
    reaches: 'finance',
    fix: (_reason, fix = 'check that it runs and that DATABASE_URL is its address; or remove the setting') =>
      fix.replaceAll('DATABASE_URL', 'FINANCE_DATABASE_URL'),
    judge: ({ rights }) => ok(`as ${rights.account}`),
  }),
  check({
    id: 'finance.rights',
    group: 'Finance database',
    title: 'The account can read only',
    why: 'The service reads only, in read-only transactions; an account that can write is an unnecessary risk.',
    needs: ['finance'],
    judge: ({ finance: { rights } }) => {
      const fix = 'set FINANCE_DATABASE_URL to an account that has SELECT on the companies and nothing else';
      if (rights.isSuperuser) return warning(`${rights.account} is a superuser`, fix);
      return rights.writable > 0
        ? warning(`${rights.account} may change ${rights.writable} tables`, fix)
        : ok(`${rights.account} may change no table`);
    },
  }),
  check({
    id: 'finance.query',
    group: 'Finance database',
    title: 'The query for companies runs and returns the right columns',
    why: 'Otherwise each look-up of a company fails with 503.',
    needs: ['finance'],
    judge: ({ finance: { query } }) => {
      const fix = 'correct FINANCE_COMPANY_QUERY: it must return the columns id, code and name';
      if ('failure' in query) return error(query.failure, fix);
      const missing = NEEDED.filter((column) => !query.columns.includes(column));
      return missing.length > 0 ? error(`it lacks ${missing.join(', ')}`, fix) : ok(query.columns.join(', '));
    },
  }),
];
