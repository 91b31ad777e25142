import { isLocalHost } from '@latchkey/core/internal/kernel/local-host';

/** Returns true if an address can only mean this machine. */
export const isLocalAddress = (url: string): boolean => isLocalHost(new URL(url).hostname);
