import { AuthError } from '../kernel/auth-error.js';

const REFUSAL =
  /\b(?:NOPERM|WRONGPASS|NOAUTH)\b|ACL failure in script|can't run this command|invalid username-password pair/;

/** Reports whether Redis has answered, and refuses the account: unlike an outage, that does not pass by itself. */
export function isRedisRefusal(error: unknown): error is Error {
  const cause = AuthError.is(error) ? error.cause : error;
  return cause instanceof Error && REFUSAL.test(cause.message);
}

/** Returns the command that a refusal names, in upper case, or its words if it names none. */
export function refusedCommand({ message }: Error): string {
  if (message.includes("can't run this command"))
    return 'a command of its scripts (INCR, INCRBY, EXPIRE, PEXPIRE, PTTL)';
  return /'([\w|]+)' command/.exec(message)?.[1]?.toUpperCase() ?? message;
}
