import type { OutboxMailView } from '@latchkey/operations';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Style } from '../../runtime/terminal.js';

export const OUTBOX_LIST: ListFormat<OutboxMailView> = {
  noun: 'mails',
  columns: [
    { title: 'TO', text: ({ recipient }) => recipient, whenNarrow: 'shrink', least: 20 },
    { title: 'STATE', text: ({ state }) => state, style: styleOf },
    { title: 'KIND', text: ({ kind }) => kind, whenNarrow: 'shrink', least: 14 },
    { title: 'QUEUED', text: ({ createdAt }) => relativeTime(createdAt), whenNarrow: 'drop' },
    { title: 'TRIES', text: ({ attempts }) => String(attempts), whenNarrow: 'drop' },
    { title: 'NEXT', text: ({ nextAttemptAt }) => relativeTime(nextAttemptAt), whenNarrow: 'drop' },
    { title: 'LAST ERROR', text: ({ lastError }) => lastError ?? '', whenNarrow: 'shrink', least: 16 },
    { title: 'ID', text: ({ id }) => id, isId: true },
  ],
  fields: [
    'id',
    'kind',
    'recipient',
    'state',
    'attempts',
    'createdAt',
    'nextAttemptAt',
    'sentAt',
    'lastError',
  ],
  id: ({ id }) => id,
};

function styleOf({ state }: OutboxMailView): Style | undefined {
  if (state === 'failed') return 'red';
  return state === 'retrying' ? 'yellow' : undefined;
}
