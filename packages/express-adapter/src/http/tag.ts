/** Groups of operations that exist once for people and once for machines. */
const SHARED = {
  Users: 'Users of the platform: approve, change and deactivate them.',
  Sessions: 'Sessions of other users.',
  Members: 'Memberships of companies and business units.',
  Finance: 'Finance roles, approval limits and primary approvers of members.',
} as const;
type SharedTag = keyof typeof SHARED;

type MachineTag = `${SharedTag} (machines)`;
const forMachines = (tag: SharedTag): MachineTag => `${tag} (machines)`;

const OF_PEOPLE = {
  'Sign-in': 'Register, sign in, renew tokens, sign out, and set a forgotten password.',
  Passkeys: 'Sign in with a passkey, and manage the passkeys of the signed-in user.',
  Account: 'Profile, password and access of the signed-in user.',
  'Own sessions': 'Sessions of the signed-in user.',
  Invitations: 'Invite people to a company by email, and accept an invitation.',
  'Hand-off': 'Carry a session over to another client.',
} as const;

const OF_SERVICES = {
  Companies: 'Find the company that an identifier means.',
  'Service tokens': 'Tokens that services show in place of the internal key.',
  'Audit log': 'Who did what to whom.',
  Platform: 'State and public keys of the service.',
} as const;

export type Tag = keyof typeof OF_PEOPLE | SharedTag | MachineTag | keyof typeof OF_SERVICES;

/** Every group of operations in the order of the reference: what most readers look for stands first. */
export const TAGS: readonly { name: Tag; description: string }[] = [
  ...listed(OF_PEOPLE),
  ...listed(SHARED),
  ...listed(OF_SERVICES),
  ...listed(SHARED).map(({ name, description }) => ({
    name: forMachines(name),
    description: `${description} For services, with the internal key or a service token.`,
  })),
];

function listed<Name extends string>(
  words: Readonly<Record<Name, string>>,
): { name: Name; description: string }[] {
  return Object.entries(words).map(([name, description]) => ({
    name: name as Name,
    description: description as string,
  }));
}

/** Tells the two operations of one function apart in the OpenAPI document. */
export interface Audience {
  named(operationId: string): string;
  tagged(tag: SharedTag): Tag;
}

export const people: Audience = { named: (operationId) => operationId, tagged: (tag) => tag };
export const machines: Audience = { named: (operationId) => `${operationId}AsMachine`, tagged: forMachines };
