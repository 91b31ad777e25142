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

/** Returns what an entry says beside its event: the reason, the way of the sign-in, or the new role. */
export function factText(entry: Pick<AuditEntry, 'details'>): string | undefined {
  const { details } = entry;
  const reason = reasonText(entry);
  if (reason !== undefined) return reason;
  const stated = details.statedReason ?? details.why;
  if (typeof stated === 'string') return stated;
  const { method } = details;
  return typeof method === 'string' && isOrigin(method) ? names.origin[method] : undefined;
}

const isOrigin = (method: string): method is keyof typeof names.origin => Object.hasOwn(names.origin, method);

/** Returns who did it, if not a user: `cli:root` is an operator, `machine:billing` a machine. */
export function actorText(actor: string): string {
  const [kind = '', ...rest] = actor.split(':');
  const name = rest.join(':');
  const kinds: Record<string, string> = { ...messages.actors, cli: messages.actors.operator };
  return name === '' ? (kinds[kind] ?? actor) : `${kinds[kind] ?? kind} ${name}`;
}
