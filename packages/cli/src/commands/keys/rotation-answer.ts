import type { RotationStatus } from '@latchkey/core/keys';
import type { Call } from '../../runtime/call.js';
import { nextLines, settingLines } from './rotation-text.js';

/** The outcome of a step, which settings lead to it, and what comes next. */
export function answer(
  { output }: Call,
  status: RotationStatus,
  { text, id }: { text: string; id?: string },
): void {
  output.answer({
    view: status,
    text: [text, '', ...settingLines(status), '', ...nextLines(status)].join('\n'),
    ...(id !== undefined && { id }),
  });
}
