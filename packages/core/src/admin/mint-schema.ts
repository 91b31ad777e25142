import { z } from 'zod';
import { isUuid } from '../kernel/id.js';
import { nameInput } from '../kernel/name-input.js';
import { uuidInput } from '../kernel/uuid-input.js';

/** Without `actorUserId` and `actor`, the session is one of the user's own. */
const fields = z
  .object({
    actorUserId: uuidInput.optional().describe('The member of staff who acts for the user.'),
    actor: nameInput(200)
      .refine((text) => !isUuid(text), 'must not be a UUID; name a member of staff by actorUserId')
      .optional()
      .describe(
        'Who acts for the user, in free text, if it is no member of staff. The machine vouches for it.',
      ),
    reason: nameInput(500)
      .optional()
      .describe('Why, for the user, the lists of sessions and the audit log. Required with an actor.'),
    actorSessionId: uuidInput
      .optional()
      .describe('A session of `actorUserId`: the new session ends with it. Only with `actorUserId`.'),
  })
  .meta({
    dependentRequired: { actorUserId: ['reason'], actor: ['reason'], actorSessionId: ['actorUserId'] },
  });

/** Schema of the request for a session that a machine opens for a user. */
export const mintInput = fields.superRefine(({ actorUserId, actor, reason, actorSessionId }, context) => {
  const fault = (path: keyof z.input<typeof fields>, message: string, about = 'not_allowed') =>
    context.addIssue({ code: 'custom', path: [path], message, params: { reason: about } });
  const isNamed = actorUserId !== undefined || actor !== undefined;
  if (actorUserId !== undefined && actor !== undefined) fault('actor', 'must not be given with actorUserId');
  if (isNamed && reason === undefined) fault('reason', 'is required with an actor', 'required');
  if (!isNamed && reason !== undefined) fault('reason', 'goes with actorUserId or actor');
  if (actorUserId === undefined && actorSessionId !== undefined)
    fault('actorSessionId', 'goes with actorUserId');
});

/**
 * Who acts in a session that a machine opens for a user, and why: a member of staff or, in free text, another actor.
 * Without either, the session is one of the user's own.
 */
export type MintSession = z.input<typeof mintInput>;
export type CheckedMint = z.output<typeof mintInput>;
