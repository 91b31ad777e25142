import { parseArgs } from 'node:util';
import { ApiError, type LatchkeyApi } from './latchkey-api.js';
import { UsageError, type Script } from './script.js';

interface User {
  id: string;
  email: string;
  createdAt: string;
  /** Missing if the user never signed in. */
  lastLoginAt?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 1000;

/**
 * Deactivates users who have not signed in for this many days, or ever, and have no active session. Only lists them
 * unless `--yes` is given. Platform staff is skipped, so that no run can lock out the last admin.
 */
export const deactivateIdle: Script = async (latchkey, args, { out, note }) => {
  const { days, yes } = read(args);
  const idle = await idleSince(latchkey, new Date(Date.now() - days * DAY_MS));
  let count = 0;
  for (const user of idle) {
    // Checked right before the change: the user may have signed in since the list was read.
    if (await hasSession(latchkey, user)) continue;
    if (yes && !(await deactivate(latchkey, user))) continue;
    count++;
    await out(`${user.id}  ${user.lastLoginAt ?? 'never'}  ${user.email}`);
  }
  note(yes ? `${count} deactivated.` : `${count} would be deactivated; --yes does it.`);
};

function read(args: string[]): { days: number; yes: boolean } {
  const { values } = parseArgs({
    args,
    options: { days: { type: 'string' }, yes: { type: 'boolean', default: false } },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1) throw new UsageError('--days: must be an integer of 1 or more');
  return { days, yes: values.yes };
}

/** Collects all users before the first is deactivated, because deactivating shifts the pages. */
export async function idleSince(latchkey: LatchkeyApi, time: Date, limit = PAGE): Promise<User[]> {
  const users = new Map<string, User>();
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const query = { isActive: 'true', globalRole: 'NONE', limit: String(limit), offset: String(offset) };
    const page = await latchkey.page<User>('/internal/admin/users', query);
    // A registration while reading moves a row to the next page, where it occurs a second time.
    for (const user of page.items) users.set(user.id, user);
    total = page.total ?? 0;
  }
  return [...users.values()].filter((user) => new Date(user.lastLoginAt ?? user.createdAt) < time);
}

/** A session can stay active weeks after its sign-in. */
async function hasSession(latchkey: LatchkeyApi, { id }: User): Promise<boolean> {
  const { items } = await latchkey.page(`/internal/admin/users/${id}/sessions`, { limit: '1' });
  return items.length > 0;
}

/** Returns false if it was rejected, for example because the user has become the only superadmin. */
async function deactivate(latchkey: LatchkeyApi, { id }: User): Promise<boolean> {
  try {
    await latchkey.machine('DELETE', `/internal/admin/users/${id}`);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') return false;
    throw error;
  }
}
