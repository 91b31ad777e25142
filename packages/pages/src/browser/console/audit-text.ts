import {
  endMessages as ends,
  eventMessages as events,
  nameMessages as names,
} from '../../messages/en/console/names.js';
import { auditMessages as messages } from '../../messages/en/console/operations.js';
import { wordsOf } from './format.js';
import type { AuditEntry } from './types.js';

/** Returns the name of an event; events of a host app have their own name as words. */
export const eventText = (event: string): string => events[event] ?? wordsOf(event);

/** Reasons that end sessions are words; other details are shown as they are. */
function reasonText({ details }: Pick<AuditEntry, 'details'>): string | undefined {
  const { reason } = details;
  if (typeof reason !== 'string') return undefined;
  return ends[reason] ?? wordsOf(reason);
}

/** Returns the former and the new role; rows of earlier versions have the new one only. */
function roleText({ event, details }: Pick<AuditEntry, 'event' | 'details'>): string | undefined {
  if (event !== 'user_role_changed') return undefined;
  const { formerRole, globalRole } = details;
  return [formerRole, globalRole]
    .filter(isRole)
    .map((role) => names.role[role])
    .join(' → ');
}

/** Returns what an entry says beside its event: the roles, the reason, or the way of the sign-in. */
export function factText(entry: Pick<AuditEntry, 'event' | 'details'>): string | undefined {
  const { statedReason, why, method } = entry.details;
  const stated = statedReason ?? why;
  const texts = [
    roleText(entry),
    reasonText(entry) ?? (typeof stated === 'string' ? stated : undefined),
  ].filter(Boolean);
  if (texts.length > 0) return texts.join(' · ');
  return typeof method === 'string' && isOrigin(method) ? names.origin[method] : undefined;
}

const isRole = (role: unknown): role is keyof typeof names.role =>
  typeof role === 'string' && Object.hasOwn(names.role, role);

/** Returns the way of a sign-in in words. */
export const originText = (method: string): string =>
  isOrigin(method) ? names.origin[method] : wordsOf(method);

const isOrigin = (method: string): method is keyof typeof names.origin => Object.hasOwn(names.origin, method);

/** Returns who did it, if not a user: `cli:root` is an operator, `machine:billing` a machine. */
export function actorText(actor: string): string {
  const [kind = '', ...rest] = actor.split(':');
  const name = rest.join(':');
  const kinds: Record<string, string> = { ...messages.actors, cli: messages.actors.operator };
  return name === '' ? (kinds[kind] ?? actor) : `${kinds[kind] ?? kind} ${name}`;
}
