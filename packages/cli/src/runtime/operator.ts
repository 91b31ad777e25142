import { hostname, userInfo } from 'node:os';
import type { ClientInfo, TrustedActor } from '@latchkey/core';
import { version } from '../version.js';

const MAX_USER_AGENT = 256;

/** The person at the shell, as audit rows name them: `cli:alice`. */
export const currentOperator = (): TrustedActor => ({ kind: 'operator', name: accountName() });

/** Where the command runs, for the audit row. */
export const operatorClient = (): ClientInfo => ({
  ipAddress: null,
  userAgent: `latchkey-cli/${version} (${hostname()})`.slice(0, MAX_USER_AGENT),
  deviceName: null,
  requestId: null,
});

/** Containers often run under a number that has no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
