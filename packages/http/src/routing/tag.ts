/** Groups of operations that exist for users and for machines. */
const SHARED = {
  Users: 'Users of the platform: create, approve, change and deactivate them.',
  Sessions: 'Sessions of other users.',
  Members: 'Memberships of companies and business units.',
  'Company API keys': 'API keys of companies.',
  Roles: 'Roles of companies: what their members have in addition to their own grants.',
  Finance: 'Finance roles, approval limits and primary approvers of members.',
  Webhooks: 'Signed messages about events, to the servers of others.',
} as const;
type SharedTag = keyof typeof SHARED;
const forMachines = (tag: SharedTag): `${SharedTag} (machines)` => `${tag} (machines)`;

const OF_USERS = {
  'Sign-in': 'Register, sign in, renew tokens, sign out, and reset a forgotten password.',
  Passkeys: 'Sign in with a passkey, and manage the passkeys of the signed-in user.',
  'External providers': 'Sign in by other services, and link accounts there.',
  'Step-up': 'Prove the identity of the signed-in user again, for sensitive actions.',
  'Second factor': 'Second factors and recovery codes of the signed-in user.',
  Account: 'Profile, password and access of the signed-in user.',
  'API keys': 'Keys for programs of the signed-in user, and what a program can do with a key.',
  'Own sessions': 'Sessions of the signed-in user.',
  Invitations: 'Invite people to a company by email, and accept an invitation.',
  'Hand-off': 'Transfer a session to another client.',
} as const;

const OF_SERVICES = {
  Companies: 'Find a company by id, code or name.',
  Operations:
    'What administrators of the platform read: the audit log, the outbox, invitations of all companies, and health.',
  'Service tokens': 'Tokens that services use instead of the internal key.',
  Revocations: 'What ends access tokens, for services that verify tokens by themselves.',
  'Audit log': 'Audit entries: actor, action, subject and outcome.',
  Platform: 'Status and public keys of the service.',
} as const;

export type Tag = keyof typeof OF_USERS | SharedTag | `${SharedTag} (machines)` | keyof typeof OF_SERVICES;

/** All groups of operations in the order of the reference: the most frequently used first. */
export const TAGS: readonly { name: Tag; description: string }[] = [
  ...listed(OF_USERS),
  ...listed(SHARED),
  ...listed(OF_SERVICES),
  ...listed(SHARED).map(({ name, description }) => ({
    name: forMachines(name),
    description: `${description} For services, with the internal key or a service token.`,
  })),
];

function listed<Name extends string>(
  texts: Readonly<Record<Name, string>>,
): { name: Name; description: string }[] {
  return Object.entries(texts).map(([name, description]) => ({
    name: name as Name,
    description: description as string,
  }));
}

/** Distinguishes the two operations of one function in the OpenAPI document. */
export interface Audience {
  named(operationId: string): string;
  tagged(tag: SharedTag): Tag;
}

export const people: Audience = { named: (operationId) => operationId, tagged: (tag) => tag };
export const machines: Audience = { named: (operationId) => `${operationId}AsMachine`, tagged: forMachines };
