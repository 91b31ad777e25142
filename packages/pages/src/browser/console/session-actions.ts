import { userActionMessages as messages } from '../../messages/en/console/users.js';
import { client } from '../client.js';
import { deviceOf } from './device.js';
import { confirmed } from './perform.js';
import type { Session } from './types.js';

/** Ends one session after a confirmation. @returns whether it was ended. */
export const endSession = (session: Session): Promise<boolean> =>
  confirmed(
    {
      title: messages.endTitle,
      text: messages.endText(`${deviceOf(session)} (${session.email})`),
      confirm: messages.end,
      isDanger: true,
    },
    () => client.request('POST', '/internal/sessions/{id}/revoke', { path: { id: session.id } }),
    messages.ended,
  );
