import type { DataFolderFacts } from '../../../packages/operations/src/doctor/probes/data-folder-probe.js';
import type { FinanceFacts } from '../../../packages/operations/src/doctor/probes/finance-probe.js';
import { productionWith, settingsWith, type CheckCase } from './check-case.js';

/** Returns the cases of mail, other services and this machine. */
export const neighbourCases = (): CheckCase[] => [
  ...mailCases(),
  ...coreCases(),
  ...financeCases(),
  ...machineCases(),
];

const smtp = (from: string) => ({
  settings: productionWith({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: from }),
});

const sender = (takesMail: boolean, hasSpf: boolean) => ({
  sender: { domain: 'acme.org', takesMail, hasSpf },
});

const mailCases = (): CheckCase[] => [
  { id: 'mail.configured', when: 'it is', status: 'ok', facts: smtp('a@acme.org') },
  {
    id: 'mail.configured',
    when: 'it is left to the app',
    status: 'ok',
    facts: { settings: productionWith({ MAIL_BY_APP: 'true' }) },
  },
  {
    id: 'mail.configured',
    when: 'not in production',
    status: 'warning',
    facts: { settings: productionWith() },
  },
  {
    id: 'mail.configured',
    when: 'not in development',
    status: 'skipped',
    facts: { settings: settingsWith() },
  },
  ...(
    [
      ['smtps://mail.acme.org', 'ok'],
      ['smtp://mail.acme.org', 'ok'],
      ['smtp://localhost', 'ok'],
      ['smtp://localhost?tls=none', 'ok'],
      ['smtp://mail.acme.org?tls=none', 'warning'],
    ] as const
  ).map(([url, status]): CheckCase => ({
    id: 'mail.security',
    when: `it is ${url}`,
    status,
    facts: { settings: productionWith({ SMTP_URL: url, MAIL_FROM: 'a@acme.org' }) },
  })),
  { id: 'mail.security', when: 'there is none', status: 'skipped', facts: { settings: productionWith() } },
  { id: 'mail.reachable', when: 'it greets', status: 'ok', facts: { mailServer: { milliseconds: 20 } } },
  {
    id: 'mail.sender',
    when: 'the domain can be owned',
    status: 'ok',
    facts: smtp('Acme <no-reply@acme.org>'),
  },
  ...[
    'no-reply@example.com',
    'Acme <no-reply@mail.example.org>',
    'root@localhost',
    'a@acme.invalid',
    'a@acme',
  ].map((from): CheckCase => ({
    id: 'mail.sender',
    when: `it is ${from}`,
    status: 'warning',
    facts: smtp(from),
  })),
  { id: 'mail.domain', when: 'all is published', status: 'ok', facts: sender(true, true) },
  { id: 'mail.domain', when: 'it accepts no mail', status: 'warning', facts: sender(false, true) },
  { id: 'mail.domain', when: 'it has no SPF record', status: 'warning', facts: sender(true, false) },
];

const coreAt = (changes: Record<string, string>) => ({ settings: productionWith(changes) });

const coreCases = (): CheckCase[] => [
  ...(
    [
      [200, 'ok'],
      [404, 'ok'],
      [401, 'error'],
      [403, 'error'],
      [302, 'error'],
      [500, 'error'],
    ] as const
  ).map(([status, judged]) => ({
    id: 'core.reachable',
    when: `it answers ${status}`,
    status: judged,
    facts: { coreService: { status, milliseconds: 5 } },
  })),
  {
    id: 'external.reachable',
    when: 'every service answers',
    status: 'ok',
    facts: { providers: [providerWith(null)] },
  },
  {
    id: 'external.reachable',
    when: 'a service gives no usable answer',
    status: 'error',
    facts: { providers: [providerWith(null), providerWith('connect ECONNREFUSED 127.0.0.1:1')] },
  },
  {
    id: 'core.address',
    when: 'it is https',
    status: 'ok',
    facts: coreAt({ CORE_BASE_URL: 'https://core.example.com', CORE_INTERNAL_API_KEY: 'key' }),
  },
  {
    id: 'core.address',
    when: 'it is http in production',
    status: 'warning',
    facts: coreAt({ CORE_BASE_URL: 'http://core.example.com', CORE_INTERNAL_API_KEY: 'key' }),
  },
  {
    id: 'core.address',
    when: 'no key is sent',
    status: 'warning',
    facts: coreAt({ CORE_BASE_URL: 'https://core.example.com' }),
  },
];

const finance = (changes: Partial<FinanceFacts> = {}): CheckCase['facts'] => ({
  finance: {
    rights: { account: 'reader', isSuperuser: false, writable: 0 },
    query: { columns: ['id', 'code', 'name'] },
    ...changes,
  },
});

const financeCases = (): CheckCase[] => [
  { id: 'finance.reachable', when: 'it answers', status: 'ok', facts: finance() },
  { id: 'finance.rights', when: 'it may only read', status: 'ok', facts: finance() },
  {
    id: 'finance.rights',
    when: 'it may write',
    status: 'warning',
    facts: finance({ rights: { account: 'owner', isSuperuser: false, writable: 3 } }),
  },
  {
    id: 'finance.rights',
    when: 'it is a superuser',
    status: 'warning',
    facts: finance({ rights: { account: 'postgres', isSuperuser: true, writable: 0 } }),
  },
  { id: 'finance.query', when: 'it returns three columns', status: 'ok', facts: finance() },
  {
    id: 'finance.query',
    when: 'a column is missing',
    status: 'error',
    facts: finance({ query: { columns: ['id'] } }),
  },
  {
    id: 'finance.query',
    when: 'it does not run',
    status: 'error',
    facts: finance({ query: { failure: 'syntax error' } }),
  },
];

const FOLDER: DataFolderFacts = { path: '/data', exists: true, freeBytes: 50_000_000_000, exposed: [] };

const folder = (changes: Partial<DataFolderFacts> = {}): CheckCase['facts'] => ({
  dataFolder: { ...FOLDER, ...changes },
});

const node = (version: string, now: string): CheckCase['facts'] => ({
  runtime: { version, now: new Date(now) },
});

const machineCases = (): CheckCase[] => [
  { id: 'machine.node', when: 'its line is supported', status: 'ok', facts: node('24.1.0', '2027-01-01') },
  {
    id: 'machine.node',
    when: 'its line is not yet known',
    status: 'ok',
    facts: node('30.1.0', '2031-01-01'),
  },
  { id: 'machine.node', when: 'its line has ended', status: 'warning', facts: node('22.1.0', '2027-06-01') },
  { id: 'machine.node', when: 'it is too old', status: 'error', facts: node('20.18.3', '2025-01-01') },
  {
    id: 'machine.hashing',
    when: 'it takes 30 ms',
    status: 'ok',
    facts: { hashing: { engine: 'x', milliseconds: 30 } },
  },
  {
    id: 'machine.hashing',
    when: 'it takes 2 ms',
    status: 'warning',
    facts: { hashing: { engine: 'x', milliseconds: 2 } },
  },
  {
    id: 'machine.hashing',
    when: 'it takes 2 s',
    status: 'warning',
    facts: { hashing: { engine: 'x', milliseconds: 2000 } },
  },
  { id: 'machine.space', when: 'there is plenty', status: 'ok', facts: folder() },
  {
    id: 'machine.space',
    when: 'there is little',
    status: 'warning',
    facts: folder({ freeBytes: 500_000_000 }),
  },
  { id: 'machine.space', when: 'there is none', status: 'error', facts: folder({ freeBytes: 5_000_000 }) },
  { id: 'machine.data_folder', when: 'it is closed', status: 'ok', facts: folder() },
  {
    id: 'machine.data_folder',
    when: 'it is open',
    status: 'warning',
    facts: folder({ exposed: ['/data/signing-key.pem'] }),
  },
  {
    id: 'machine.data_folder',
    when: 'it does not exist',
    status: 'skipped',
    facts: folder({ exists: false }),
  },
];

const providerWith = (problem: string | null) => ({
  id: 'plain',
  label: 'Plain',
  redirectUri: 'https://auth.example.com/external/callback/plain',
  issuer: problem === null ? 'https://id.example.com' : null,
  keys: problem === null ? 2 : null,
  problem,
});
