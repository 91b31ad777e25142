'use client';

/** React bindings of the client: a provider, and hooks for the session and for access in a company. */
export { LatchkeyProvider, type LatchkeyProviderProps } from './react/provider.js';
export { useAccess, type AccessState } from './react/use-access.js';
export { useSession, type CurrentSession } from './react/use-session.js';
