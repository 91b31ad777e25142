import { userInfo } from 'node:os';

/** The account a command runs under. */
export interface OsAccount {
  username: string;
  /** -1 if accounts have no numbers. */
  uid: number;
  /** Null if it is unknown. */
  shell: string | null;
  /** False for a number without an entry in the list of accounts. */
  hasEntry: boolean;
}

/** Containers often run under a number that has no name. */
export function osAccount(): OsAccount {
  try {
    const { username, uid, shell } = userInfo();
    return { username, uid, shell, hasEntry: true };
  } catch {
    const uid = process.getuid?.() ?? -1;
    return { username: `uid-${uid === -1 ? 'unknown' : uid}`, uid, shell: null, hasEntry: false };
  }
}

/** Accounts of images whose numbers look like those of people. */
const OF_IMAGES = new Set(['app', 'appuser', 'latchkey', 'node', 'nobody', 'nonroot']);
/** The lowest number of people's accounts on Linux; macOS begins at 501. */
const FIRST_PERSON = 500;
const NO_LOGIN = /\/(nologin|false)$/;

/** Returns the reason why an account does not identify a person; undefined if it does. */
export function sharedAccount({ username, uid, shell, hasEntry }: OsAccount): string | undefined {
  if (uid === 0) return 'an account that administrators share';
  if (!hasEntry) return 'a number without an account';
  if (OF_IMAGES.has(username)) return 'an account of container images';
  const isSystem = (uid > 0 && uid < FIRST_PERSON) || NO_LOGIN.test(shell ?? '');
  return isSystem ? 'an account of the system' : undefined;
}
