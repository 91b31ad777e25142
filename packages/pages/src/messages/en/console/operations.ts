/** Texts of the overview. */
export const overviewMessages = {
  title: 'Overview',
  greeting: (name: string) => `Hello, ${name}`,
  waiting: 'Waiting for approval',
  users: 'Users',
  connected: 'Signed-in users',
  sessions: 'Active sessions',
  estimate: 'estimated',
  signIns: 'Recent sign-ins',
  noSignIns: 'No sign-ins yet',
  allSignIns: 'All sign-ins',
  health: 'Health',
  allHealth: 'Details',
  approvals: 'Waiting approvals',
  allApprovals: 'Review all',
  newest: 'Newest users',
  allUsers: 'All users',
  failuresFrom: (count: string, address: string) =>
    count === '1' ? `1 failure from ${address}` : `${count} failures from ${address}`,
};

/** Texts of the numbers by day on the overview. */
export const activityMessages = {
  title: 'Activity',
  span: 'Days to show',
  days: (count: string) => `${count} days`,
  signIns: 'Sign-ins',
  failedSignIns: 'Failed sign-ins',
  registrations: 'Registrations',
  signedInUsers: 'Users who signed in',
  perDay: (count: string) => `${count} a day`,
  most: (count: string, day: string) => `Most: ${count} on ${day}`,
  noMost: 'None yet',
  chart: (name: string, days: string, total: string, most: string) =>
    `${name} by day, ${days}: ${total}. ${most}.`,
  chartOfUsers: (days: string, most: string) => `Users who signed in by day, ${days}. ${most}.`,
  table: 'Numbers as a table',
  day: 'Day (UTC)',
  counted: (when: string) => `Days are in UTC. Counted ${when}.`,
  notCounted: 'Days are in UTC. Not counted yet.',
  unusual: (failures: string, usual: string) =>
    `Unusually many failed sign-ins today: ${failures}. A usual day has ${usual}.`,
  failing: 'Failing IP addresses',
  failingSpan: 'last 24 hours',
  noFailing: 'No failed sign-ins',
};

/** Texts of the sessions of all users. */
export const sessionMessages = {
  title: 'Sessions',
  lead: 'Active sessions of all users, newest first.',
  columns: {
    user: 'User',
    device: 'Device',
    address: 'IP address',
    signedIn: 'Signed in',
    used: 'Last used',
  },
  empty: 'No users are signed in',
  emptyHint: 'Sessions appear here as users sign in.',
  total: (count: string) => (count === '1' ? '1 session' : `${count} sessions`),
  expires: (when: string) => `expires ${when}`,
  thisOne: 'this session',
  unknownDevice: 'Unknown device',
  on: (browser: string, system: string) => `${browser} on ${system}`,
};

/** Texts of the invitations. */
export const invitationMessages = {
  title: 'Invitations',
  lead: 'Invitations to companies, newest first.',
  status: 'Status',
  email: 'Email',
  company: 'Company',
  companyHint: 'Company ID',
  columns: { email: 'Email', status: 'Status', company: 'Company', role: 'Role', expires: 'Expires' },
  empty: 'No invitation matches',
  emptyHint: 'Invitations that companies send appear here.',
  total: (count: string) => (count === '1' ? '1 invitation' : `${count} invitations`),
  resend: 'Send again',
  resendLabel: (email: string) => `Send again: ${email}`,
  resendTitle: (email: string) => `Send the invitation to ${email} again?`,
  resendText: 'The mail has a new link, and the previous one stops working.',
  resent: 'The invitation is on its way.',
  cancel: 'Cancel invitation',
  cancelLabel: (email: string) => `Cancel: ${email}`,
  cancelTitle: (email: string) => `Cancel the invitation of ${email}?`,
  cancelText: 'Its link stops working.',
  cancelled: 'The invitation was cancelled.',
  cancelShort: 'Cancel',
  keep: 'Keep invitation',
};

/** Texts of companies, their members and their access. */
export const companyMessages = {
  title: 'Companies',
  lead: 'Open a company by its id, code or name to see its members and what they may use.',
  find: 'Company id, code or name',
  open: 'Open',
  yours: 'Your companies',
  recent: 'Opened recently',
  members: 'Members',
  total: (count: string) => (count === '1' ? '1 active member' : `${count} active members`),
  columns: { user: 'Member', role: 'Role', modules: 'Modules', finance: 'Finance', since: 'Since' },
  allModules: 'All entitled',
  empty: 'No active members',
  emptyHint: 'Members appear here as invitations are accepted.',
  invitations: 'Invitations',
  access: 'Access',
  explain: 'Explain access',
};

/** Texts of the picture of a member's access. */
export const accessMessages = {
  title: 'Access explained',
  lead: (who: string) => `What ${who} may use in this company, and why.`,
  flow: 'From the company’s plan to the member',
  entitled: 'Plan of the company',
  entitledText: (count: string) => (count === '1' ? '1 module' : `${count} modules`),
  role: 'Role of the member',
  noRole: 'Not a member',
  mode: 'Access policy',
  effective: 'May use',
  columns: { module: 'Module', effective: 'May use', reason: 'Because' },
  permissions: 'Permissions',
  noPermissions: 'No permissions',
  units: 'Business units',
  may: 'may use',
  mayNot: 'may not use',
  enforced: (reason: string) => `when enforced: ${reason}`,
  unavailable: 'Access cannot be resolved',
  unavailableHint: 'The service needs the entitlements of the company: set CORE_BASE_URL.',
  reasons: {
    not_entitled: 'the plan of the company does not include it',
    platform_role: 'the platform role includes everything',
    company_role: 'the role in the company includes everything',
    no_restriction: 'the member has no restriction',
    granted: 'granted to the member',
    not_granted: 'not granted to the member',
    denied: 'denied to the member',
  },
};

/** Texts of the audit log. */
export const auditMessages = {
  title: 'Audit log',
  lead: 'All events, newest first.',
  event: 'Event',
  outcome: 'Outcome',
  from: 'From',
  to: 'To',
  user: 'User ID',
  company: 'Company ID',
  session: 'Session ID',
  more: 'More filters',
  live: 'Live',
  liveOn: 'New entries appear automatically.',
  livePaused: 'Paused while this tab is in the background.',
  liveFailed: 'The connection was lost. Trying again…',
  columns: { time: 'Time', event: 'Event', actor: 'Actor', subject: 'Target', address: 'IP address' },
  empty: 'No entry matches',
  emptyHint: 'Choose other filters, or a longer time.',
  details: 'Details',
  request: 'Request ID',
  agent: 'User agent',
  actors: {
    anonymous: 'Anonymous',
    system: 'Service',
    machine: 'Machine',
    operator: 'Operator',
    user: 'User',
  },
  method: 'Signed in with',
  copyJson: 'Copy as JSON',
  copyLabel: (name: string) => `Copy: ${name}`,
  newEntries: (count: string) => (count === '1' ? '1 new entry' : `${count} new entries`),
};

/** Texts of the mail outbox. */
export const mailMessages = {
  title: 'Mail',
  lead: 'Emails that the service has queued, newest first. Their content is not shown.',
  state: 'State',
  kind: 'Kind',
  to: 'Recipient',
  columns: { to: 'Recipient', kind: 'Kind', state: 'State', attempts: 'Attempts', queued: 'Queued' },
  empty: 'No mail matches',
  emptyHint: 'Mails appear here as soon as they are queued.',
  total: (count: string) => (count === '1' ? '1 mail' : `${count} mails`),
  retry: 'Send now',
  retryLabel: (to: string) => `Send now: ${to}`,
  retryTitle: 'Send this mail now?',
  retryText: (to: string) => `The next attempt to reach ${to} is made at once.`,
  retried: 'The next attempt is due now.',
  sent: (when: string) => `sent ${when}`,
  next: (when: string) => `next attempt ${when}`,
};

/** Texts of the health of the service. */
export const healthMessages = {
  title: 'Health',
  lead: 'The state of this service and of what it depends on.',
  good: 'All systems operational',
  bad: 'Something needs attention',
  checked: (when: string) => `Checked ${when}`,
};
