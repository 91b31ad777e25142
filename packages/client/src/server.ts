/** Calls of a server for the user whose request it handles, without a session of its own: Next.js, Remix, SvelteKit and others. */
export { requestAs, signInUrl, type ServerOptions } from './server/request-as.js';
