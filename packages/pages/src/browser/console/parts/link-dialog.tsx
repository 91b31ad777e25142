import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { actForMessages as messages } from '../../../messages/en/console/users.js';
import { countDown } from '../../count-down.js';
import { Dialog } from '../../ui/dialog.js';
import { numberText } from '../format.js';
import type { ShownLink } from '../overlay-store.js';

/**
 * A link to another tab, which the user opens: a browser may block a tab that a script opens after a request. Without `noopener` the
 * new tab would get a copy of the storage of this one, where the session of the console may be.
 */
export function LinkDialog({
  title,
  text,
  href,
  label,
  seconds,
  onClose,
}: ShownLink & { onClose: () => void }): JSX.Element {
  const [left, setLeft] = useState(seconds);
  useEffect(() => countDown(seconds, setLeft, onClose), []);
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="dialog-text">{text}</p>
      <p class="quiet" role="timer">
        {messages.validFor(numberText(left))}
      </p>
      <div class="button-row">
        <button type="button" class="button secondary" onClick={onClose}>
          {shell.cancel}
        </button>
        <a
          class="button primary"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          data-focus
          // The browser opens the tab first.
          onClick={() => setTimeout(onClose)}
        >
          {label}
        </a>
      </div>
    </Dialog>
  );
}
