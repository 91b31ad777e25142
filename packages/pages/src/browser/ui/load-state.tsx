import type { VNode } from 'preact';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { failureText } from '../failure-text.js';
import { Button } from './button.js';
import { Notice } from './notice.js';
import type { Loaded } from './use-loaded.js';

/** Says that data is on its way, or why it is not, with a button to try again. Nothing once it is there. */
export function LoadState({ loaded }: { loaded: Loaded<unknown> }): VNode | null {
  const { data, failure, reload } = loaded;
  if (failure) {
    return (
      <div class="panel-body">
        <Notice>{failureText(failure)}</Notice>
        <Button onPress={reload}>{messages.tryAgain}</Button>
      </div>
    );
  }
  return data === undefined ? <p class="empty">{messages.loading}</p> : null;
}
