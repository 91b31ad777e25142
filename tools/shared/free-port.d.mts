/** Returns a port of the loopback address that was free a moment ago, and that this process has not returned before. */
export function freePort(): Promise<number>;
