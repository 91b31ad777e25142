import type { SessionStats } from '@latchkey/core';
import type { EveryoneRevoked } from '@latchkey/operations';
import type { Call } from '../../runtime/call.js';
import { withOperator, type OperatorSession } from '../../runtime/connection.js';
import { countOf, statText, withNoun } from '../../runtime/count-words.js';
import { CommandError } from '../../runtime/failure.js';
import { untilInterrupted } from '../../runtime/interruption.js';

export interface EveryoneOptions {
  everyone?: boolean;
  reason?: string;
}

/** The word to type: a key pressed out of habit must not sign out all users. */
const WORD = 'everyone';

/** @throws CommandError for a reason that would not be recorded. */
export function assertNoReason({ options }: Call<EveryoneOptions>): void {
  if (options.reason === undefined) return;
  throw CommandError.usage('--reason needs --everyone.');
}

/** Ends every session of every user. */
export async function revokeEveryone(call: Call<EveryoneOptions>): Promise<void> {
  const { args, options, prompts, output } = call;
  if (args.length > 0) throw CommandError.usage('Give a user or --everyone, not both.');
  const reason = options.reason ?? (await prompts.text('Why (for the audit log)?', '--reason <text>'));
  await withOperator(call, async (session) => {
    const stats = await session.administration.sessions.stats();
    const { activeSessions } = stats;
    if (activeSessions > 0) await prompts.confirmTyped(questionFor(stats), WORD);
    await untilInterrupted(async (signal) => {
      const view = await end(call, session, { reason, signal, total: activeSessions });
      const users = countOf(view.users, 'user');
      output.answer({ view, text: `Ended ${countOf(view.revoked, 'session')} of ${users}.` });
      if (!view.isComplete) output.note('Interrupted. Run the command again to continue.');
    });
  });
}

/** Revokes the sessions, and reports those that ended before a failure. */
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
      const { sessions } = administration;
      return sessions.revokeEveryone(operator, { reason }, client, { signal, onProgress });
    });
  } catch (error) {
    if (ended > 0) {
      output.note(
        `${countOf(ended, 'session')} ended before the error. Run the command again to end the others.`,
      );
    }
    throw error;
  }
}

function questionFor(stats: SessionStats): string {
  const sessions = withNoun(statText(stats.activeSessions, stats), 'session');
  const users = withNoun(statText(stats.connectedUsers, stats), 'user');
  return `This ends ${sessions} of ${users}: all users are signed out at once.`;
}
