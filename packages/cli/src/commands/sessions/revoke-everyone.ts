import type { EveryoneRevoked } from '@latchkey/core/administration';
import type { Call } from '../../runtime/call.js';
import { withOperator, type OperatorSession } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError } from '../../runtime/failure.js';
import { untilInterrupted } from '../../runtime/interruption.js';

export interface EveryoneOptions {
  everyone?: boolean;
  reason?: string;
}

/** What must be typed: a key pressed out of habit must not sign everybody out. */
const WORD = 'everyone';

/** @throws CommandError for a reason that would not be written down. */
export function assertNoReason({ options }: Call<EveryoneOptions>): void {
  if (options.reason === undefined) return;
  throw CommandError.usage('--reason goes with --everyone only.');
}

/** Ends every session of every user. */
export async function revokeEveryone(call: Call<EveryoneOptions>): Promise<void> {
  const { args, options, prompts, output } = call;
  if (args.length > 0) throw CommandError.usage('A user and --everyone name different people.');
  const reason = options.reason ?? (await prompts.text('Why (for the audit log)?', '--reason <text>'));
  await withOperator(call, async (session) => {
    const { activeSessions, connectedUsers } = await session.administration.sessionAdministration.stats();
    if (activeSessions > 0) await prompts.confirmTyped(questionFor(activeSessions, connectedUsers), WORD);
    await untilInterrupted(async (signal) => {
      const view = await end(call, session, { reason, signal, total: activeSessions });
      const users = countOf(view.users, 'user');
      output.answer({ view, text: `Ended ${countOf(view.revoked, 'session')} of ${users}.` });
      if (!view.isComplete) output.note('Stopped before the end. To go on, run it again.');
    });
  });
}

/** What ended before a failure has ended, so it is reported. */
async function end(
  { progress, output }: Call,
  { administration, operator, client }: OperatorSession,
  { reason, signal, total }: { reason: string; signal: AbortSignal; total: number },
): Promise<EveryoneRevoked> {
  let ended = 0;
  try {
    return await progress.during('Ending sessions', (bar) => {
      const onProgress = (count: number) => {
        ended = count;
        bar.at(count, Math.max(count, total));
      };
      const { sessionAdministration } = administration;
      return sessionAdministration.revokeEveryone(operator, { reason }, client, { signal, onProgress });
    });
  } catch (error) {
    if (ended > 0) {
      output.note(
        `${countOf(ended, 'session')} had ended before this happened. Run it again to end the others.`,
      );
    }
    throw error;
  }
}

const questionFor = (sessions: number, users: number): string =>
  `This ends ${countOf(sessions, 'session')} of ${countOf(users, 'user')}: everybody is signed out at once.`;
