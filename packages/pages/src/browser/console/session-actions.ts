import { userActionMessages as messages } from '../../messages/en/console/users.js';
import { client } from '../client.js';
import { confirmedForAll } from './bulk.js';
import { deviceOf } from './device.js';
import { numberText } from './format.js';
import { confirmed } from './perform.js';
import type { Session } from './types.js';

/** Ends sessions, one after the other, after a confirmation. @returns whether any was ended. */
export const endSessions = (sessions: readonly Session[]): Promise<boolean> =>
  confirmedForAll({
    question: {
      title: messages.endManyTitle(numberText(sessions.length)),
      text: messages.endManyText,
      confirm: messages.end,
      isDanger: true,
    },
    items: sessions,
    nameOf: sessionName,
    request: revoke,
    done: messages.endedAll,
  });

/** Returns device and user of a session. */
export const sessionName = (session: Session): string => `${deviceOf(session)} (${session.email})`;

const revoke = ({ id }: Session) =>
  client.request('POST', '/internal/sessions/{id}/revoke', { path: { id } });

/** Ends one session after a confirmation. @returns whether it was ended. */
export const endSession = (session: Session): Promise<boolean> =>
  confirmed(
    {
      title: messages.endTitle,
      text: messages.endText(sessionName(session)),
      confirm: messages.end,
      isDanger: true,
    },
    () => revoke(session),
    messages.ended,
  );
