/** An account at another service by which a user signs in. Its key is the connection and the subject, never an address. */
export interface ExternalIdentity {
  id: string;
  userId: string;
  connectionId: string;
  subject: string;
  /** As the service reported them at the last sign-in. */
  email: string | null;
  emailVerified: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** An identity as a provider has proved it. */
export interface ProvedIdentity {
  connectionId: string;
  subject: string;
  /** Canonical form; null if the provider named none. */
  email: string | null;
  emailVerified: boolean;
  /** True if the provider decides who has the mailbox of that address. */
  provesMailbox: boolean;
}

/** Identities that a user can have. */
export const MAX_IDENTITIES = 10;
