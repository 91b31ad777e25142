import type { CleanupPlan } from '@latchkey/operations';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { sizeText } from '../../runtime/size-text.js';

/** Returns the format of the preview, a line for each kind. */
export const planList = (durationText: (seconds: number) => string): ListFormat<CleanupPlan> => ({
  noun: 'kinds of rows',
  columns: [
    { title: 'KIND', text: ({ kind }) => kind },
    {
      title: 'ROWS',
      text: ({ count }) => String(count),
      style: ({ count }) => (count > 0 ? 'bold' : 'dim'),
    },
    { title: 'ENDED', text: ({ keep }) => `over ${durationText(keep)} ago` },
    { title: 'OLDEST', text: ({ oldest }) => relativeTime(oldest), whenNarrow: 'drop' },
    { title: 'NEWEST', text: ({ newest }) => relativeTime(newest), whenNarrow: 'drop' },
    { title: 'SIZE', text: ({ bytes }) => (bytes === 0 ? '' : `about ${sizeText(bytes)}`) },
  ],
  fields: ['kind', 'count', 'oldest', 'newest', 'bytes', 'before'],
  id: ({ kind }) => kind,
});
