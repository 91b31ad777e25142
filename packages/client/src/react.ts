'use client';

/** React bindings of the client: a provider, and hooks for the session, the user, and their companies. */
export { LatchkeyProvider, type LatchkeyProviderProps } from './react/provider.js';
export { useCompanies, useCompany, type CurrentCompanies } from './react/use-companies.js';
export { useMembers, type MembersFilter, type MembersState } from './react/use-members.js';
export { useAccess, type AccessState } from './react/use-access.js';
export { useSession, type CurrentSession } from './react/use-session.js';
export { useUser, type CurrentUser } from './react/use-user.js';
