import type { RotationStatus } from '@latchkey/operations/keys';
import type { Call } from '../../runtime/call.js';
import { nextLines, settingLines } from './rotation-text.js';

/** Prints the outcome of a step, the settings for the files, and the next step. */
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
