import { Option, type Command } from 'commander';
import type { AuditFilter } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import type { Call } from '../../runtime/call.js';
import { CommandError } from '../../runtime/failure.js';
import { findUser } from '../../runtime/find-user.js';
import type { Prompts } from '../../runtime/prompts.js';

const OUTCOMES = ['success', 'failure', 'denied'];

export interface AuditOptions {
  user?: string;
  actor?: string;
  event?: string;
  actedBy?: string;
  outcome?: string;
  company?: string;
  session?: string;
  ip?: string;
  since?: string;
  until?: string;
}

/** Adds the filters of every command that reads the audit log. */
export const withAuditFilter = (command: Command): Command =>
  command
    .option('--user <user>', 'only about this user (id or email, or its first characters)')
    .option('--actor <user>', 'only actions of this user')
    .option('--acted-by <user>', 'only what this member of staff did for other users')
    .option('--event <event>', 'only this event, such as login')
    .addOption(new Option('--outcome <outcome>', 'only with this outcome').choices(OUTCOMES))
    .option('--company <id>', 'only about this company')
    .option('--session <id>', 'only about this session')
    .option('--ip <address>', 'only from this IP address or network, such as 192.0.2.0/24')
    .option('--since <time>', 'only from this time: 30m, 12h, 7d, a date or an instant (UTC)');

/** Returns the filter of the options. @throws CommandError for invalid values and an unknown user. */
export async function readAuditFilter(
  { options, prompts }: Call<AuditOptions>,
  administration: Administration,
): Promise<AuditFilter> {
  const { auditFilter } = await import('@latchkey/core/schemas');
  const { event, outcome, company, session, ip, since, until } = options;
  const parsed = auditFilter.safeParse({
    event,
    outcome,
    companyId: company,
    sessionId: session,
    ipAddress: ip,
    subjectUserId: await userId(options.user, administration, prompts),
    actorUserId: await userId(options.actor, administration, prompts),
    actedByUserId: await userId(options.actedBy, administration, prompts),
    from: instant(since),
    to: instant(until),
  });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${optionOf(path)}: ${message}`);
  throw CommandError.usage(`${faults.join('; ')}.`, 'See: latchkey audit list --help');
}

/** Returns the id of a user. Deleted users stay in the log: a whole id is used as it is. */
async function userId(
  text: string | undefined,
  administration: Administration,
  prompts: Prompts,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { isUuid } = await import('@latchkey/core/schemas');
  return isUuid(text) ? text : (await findUser(administration, text, prompts)).id;
}

const OPTION_NAMES: Record<string, string> = {
  event: '--event',
  companyId: '--company',
  sessionId: '--session',
  ipAddress: '--ip',
  from: '--since',
  to: '--until',
};

const optionOf = (path: readonly PropertyKey[]): string => OPTION_NAMES[String(path[0])] ?? path.join('.');

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Resolves `12h` to that long ago, and a date to its start; the filter parses anything else as an instant. */
function instant(text: string | undefined): string | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text ?? '') ?? [];
  const milliseconds = UNIT_MS[unit];
  if (milliseconds !== undefined) return new Date(Date.now() - Number(count) * milliseconds).toISOString();
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}
