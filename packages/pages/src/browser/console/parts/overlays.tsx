import type { JSX } from 'preact';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.js';
import { StepUpDialog } from '../../ui/step-up-dialog.js';
import { closeToast, useOverlays } from '../overlay-store.js';
import { useMe } from '../session-context.js';
import { Icon } from './icons.js';
import { KeyHelp } from './key-help.js';
import { LinkDialog } from './link-dialog.js';
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
