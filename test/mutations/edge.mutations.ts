import type { Mutation } from './mutation.js';

const CORE = 'packages/core/src';
const HTTP = 'packages/http/src';
const PAGES = 'packages/pages/src';
const SERVER = 'packages/server/src';

const ENCRYPTED_MAIL =
  'In production neither SMTP credentials nor mail leave over an unencrypted connection, unless the operator allows it.';
const PLAIN_NAMES =
  'User-supplied names appear in mails only if they cannot be anything but a name. The mail of a registration contains no name.';
const EXACT_PATHS =
  'A path has one spelling: other case or a trailing slash is 404, standalone and in a host app. Only pages redirect from a trailing slash.';
const KEPT_ROWS =
  'No statement changes an audit row, and only the clean-up removes one. The owner of the table can do both.';
const REPEATED_HEADERS =
  'A security-relevant header that occurs twice is rejected, however many other headers surround it.';
const ANSWERS_IN_ORDER = 'Bytes that are not HTTP never replace a pending response.';
const INBOX =
  'The development inbox answers only its own machine under a local name, whatever the public address.';
const LOGGED_ADDRESSES = 'No start-up log contains the user, password or query of an address.';
const PUBLIC_ADDRESS =
  'Production does not start without its public address, which is https unless it is on this machine.';

const LONG_LISTS =
  'A list of any length is read in slices, each when the client has accepted the last, without a connection to the database in between.';
const WHOLE_LISTS = 'A part of a list never passes for the whole list.';

/** About the edge: mail, HTTP itself, addresses and what is deployed. */
export const edgeMutations: readonly Mutation[] = [
  {
    promise: ENCRYPTED_MAIL,
    defect: 'STARTTLS is not required of the library',
    file: `${CORE}/mail/smtp-message.ts`,
    from: "requireTLS: security === 'starttls'",
    to: "requireTLS: security === 'tls'",
  },
  {
    promise: ENCRYPTED_MAIL,
    defect: 'production does not ask for it',
    file: `${CORE}/mail/smtp-server.ts`,
    from: '(isProduction && !isLocalHost(hostname))',
    to: '(isProduction && isLocalHost(hostname))',
  },
  {
    promise: ENCRYPTED_MAIL,
    defect: 'the query of the address reaches the library',
    file: `${CORE}/mail/smtp-message.ts`,
    from: '...serverOf(new URL(url)),',
    to: 'url,',
  },
  {
    promise: ENCRYPTED_MAIL,
    defect: 'a misspelt choice about TLS is accepted',
    file: `${CORE}/settings/kinds/connection-kinds.ts`,
    from: "value === 'none' || value === 'required'",
    to: "value !== ''",
  },
  {
    promise: PLAIN_NAMES,
    defect: 'mails greet by any name',
    file: `${CORE}/mail/messages/layout.ts`,
    from: 'isPlainName(known) ?',
    to: "isPlainName(known) || known !== '' ?",
  },
  {
    promise: PLAIN_NAMES,
    defect: 'a name may hold an address',
    file: `${CORE}/kernel/plain-name.ts`,
    from: '|\\.(?![\\p{L}\\p{M}\\p{N}/])',
    to: '|[.:]',
  },
  {
    promise: PLAIN_NAMES,
    defect: 'the name of a passkey is shown whatever it is',
    file: `${CORE}/mail/messages/account-notices.ts`,
    from: 'isPlainName(name) ?',
    to: "isPlainName(name) || name !== '' ?",
  },
  {
    promise: EXACT_PATHS,
    defect: 'paths match in any case',
    file: `${HTTP}/routing/endpoint-table.ts`,
    from: 'this.#exact.get(path)',
    to: 'this.#exact.get(path.toLowerCase())',
  },
  {
    promise: EXACT_PATHS,
    defect: 'a slash at the end is passed over',
    file: `${HTTP}/routing/endpoint-table.ts`,
    from: 'new RegExp(`^${source}$`)',
    to: 'new RegExp(`^${source}/?$`)',
  },
  {
    promise: EXACT_PATHS,
    defect: 'the metrics on their own port match in any case',
    file: `${SERVER}/start.ts`,
    from: "path: '/metrics',",
    to: "path: '/{metrics}',",
  },
  {
    promise: KEPT_ROWS,
    defect: 'DELETE is not guarded',
    file: 'migrations/0020_audit_rows_are_kept.sql',
    from: 'BEFORE UPDATE OR DELETE OR TRUNCATE',
    to: 'BEFORE UPDATE OR TRUNCATE',
  },
  {
    promise: KEPT_ROWS,
    defect: 'maintenance may change rows as well',
    file: 'migrations/0034_erased_users.sql',
    from: "TG_OP <> 'UPDATE' AND ",
    to: '',
  },
  {
    promise: KEPT_ROWS,
    defect: 'the clean-up lets its connection remove rows ever after',
    file: 'packages/operations/src/maintenance/retention-repository.ts',
    from: "set_config('latchkey.audit_maintenance', 'on', true)",
    to: "set_config('latchkey.audit_maintenance', 'on', false)",
  },
  {
    promise: REPEATED_HEADERS,
    defect: 'a request that may have lost headers is served',
    file: `${HTTP}/node/node-request.ts`,
    from: 'limit > 0 && rawHeaders.length >= limit',
    to: 'limit > 0 && rawHeaders.length >= limit * 100',
  },
  {
    promise: REPEATED_HEADERS,
    defect: 'the server keeps the limit of Node',
    file: `${SERVER}/http-server.ts`,
    from: 'server.maxHeadersCount = 0;',
    to: 'server.maxHeadersCount = null;',
  },
  {
    promise: ANSWERS_IN_ORDER,
    defect: 'what cannot be read is answered at once',
    file: `${SERVER}/http-server.ts`,
    from: '  if (due) {',
    to: '  if (due?.writableEnded) {',
  },
  {
    promise: INBOX,
    defect: 'any name in Host will do',
    file: `${PAGES}/local-only.ts`,
    from: "name.endsWith('.localhost') ||",
    to: "name.includes('.') ||",
  },
  {
    promise: LOGGED_ADDRESSES,
    defect: 'the query of an address is shown',
    file: `${SERVER}/startup-facts.ts`,
    from: "url.replace(/[?#].*$/s, '')",
    to: "url.replace(/#.*$/s, '')",
  },
  {
    promise: LOGGED_ADDRESSES,
    defect: 'the password of the embedded database is shown',
    file: `${SERVER}/startup-facts.ts`,
    from: "withoutSecrets(embedded?.url ?? settings.database.url?.reveal() ?? '')",
    to: "embedded?.url ?? withoutSecrets(settings.database.url?.reveal() ?? '')",
  },
  {
    promise: PUBLIC_ADDRESS,
    defect: 'production starts without it',
    file: `${CORE}/settings/setting-checks.ts`,
    from: "if (!isGiven(name)) return [missing(name, 'when APP_ENV is production')];",
    to: 'if (!isGiven(name)) return [];',
  },
  {
    promise: PUBLIC_ADDRESS,
    defect: 'http is accepted for every host',
    file: `${CORE}/settings/setting-checks.ts`,
    from: 'if (isLocalHost(new URL(address).hostname)) return [];',
    to: "if (address !== '') return [];",
  },
  {
    promise: PUBLIC_ADDRESS,
    defect: 'a name that begins like a local one counts as local',
    file: `${CORE}/kernel/local-host.ts`,
    from: "name === 'localhost' ||",
    to: "name.startsWith('localhost') ||",
  },
  {
    promise: LONG_LISTS,
    defect: 'a long list is read as one array',
    file: `${HTTP}/routing/serve-route.ts`,
    from: 'isLong(input.query) ? route.handleInSlices : undefined',
    to: 'isLong({}) ? route.handleInSlices : undefined',
  },
  {
    promise: LONG_LISTS,
    defect: 'the list is read on without its client',
    file: `${HTTP}/routing/sliced-list.ts`,
    from: '  } finally {\n    await reading.return?.();\n  }',
    to: '  } finally {\n    while (!(await reading.next()).done);\n  }',
  },
  {
    promise: WHOLE_LISTS,
    defect: 'a list that fails in the middle is completed',
    file: `${HTTP}/routing/sliced-list.ts`,
    from: '  } finally {\n    await reading.return?.();\n  }',
    to: '  } catch {\n    yield Buffer.from(LIST_END);\n  }',
  },
];
