import { isLocalHost } from '../kernel/local-host.js';

/** Returns true if an address can only mean this machine. */
export const isLocalAddress = (url: string): boolean => isLocalHost(new URL(url).hostname);
