import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { actForMessages as messages } from '../../../messages/en/console/users.js';
import { countDown } from '../../count-down.js';
import { Dialog } from '../../ui/dialog.js';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.js';
import { StepUpDialog } from '../../ui/step-up-dialog.js';
import { numberText } from '../format.js';
import { closeToast, useOverlays, type ShownLink } from '../overlay-store.js';
import { useMe } from '../session-context.js';
import { Icon } from './icons.js';
import { KeyHelp } from './key-help.js';
import { Palette } from './palette.js';
import { QuestionDialog } from './question-dialog.js';

/** Everything that lies over a view: one dialog at most, and the outcomes of actions. */
export function Overlays(): JSX.Element {
  const { question, stepUp, secret, link, showsKeys, showsPalette } = useOverlays();
  const { email } = useMe();
  return (
    <>
      {question && <QuestionDialog {...question} />}
      {stepUp && <StepUpDialog email={email} needsFactor={stepUp.needsFactor} onAnswer={stepUp.done} />}
      {secret && <ShownOnceDialog {...secret} />}
      {link && <LinkDialog {...link} />}
      {showsKeys && <KeyHelp />}
      {showsPalette && <Palette />}
      <Toasts />
    </>
  );
}

function Toasts(): JSX.Element {
  const { toasts } = useOverlays();
  return (
    <div class="toasts">
      <div role="status">
        {toasts.map(({ id, text, isFailure }) => (
          <div key={id} class={`toast ${isFailure ? 'danger' : 'success'}`}>
            <Icon name={isFailure ? 'alert' : 'check'} />
            <p>{text}</p>
            <button type="button" class="toast-close" aria-label={shell.close} onClick={() => closeToast(id)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * A link to another tab, which the user opens: a browser may block a tab that a script opens after a request. Without `noopener` the
 * new tab would get a copy of the storage of this one, where the session of the console may be.
 */
function LinkDialog({
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
