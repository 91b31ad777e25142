import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { failureText } from '../failure-text.js';
import type { Failure } from '../failure.js';
import { isDismissed } from '../passkey.js';
import { Button } from './button.js';
import { Actions, Dialog } from './dialog.js';
import { Notice } from './notice.js';

interface ConfirmDialogProps {
  title: string;
  /** What will happen. */
  children: ComponentChildren;
  /** The label of the button: what it does, never "OK". */
  action: string;
  /** Defaults to `danger`. */
  rank?: 'primary' | 'danger';
  /** Returns the text of a failure. Defaults to that of all pages. */
  textOf?: (failure: Failure) => string;
  /** Does it. A failure is shown, and the dialog stays. */
  onConfirm: () => Promise<Failure | undefined>;
  onClose: () => void;
}

/** Asks before something that cannot be undone. The way back has the focus. */
export function ConfirmDialog({
  title,
  children,
  action,
  rank = 'danger',
  ...on
}: ConfirmDialogProps): VNode {
  const [notice, setNotice] = useState('');
  const confirm = async (): Promise<void> => {
    setNotice('');
    const failure = await on.onConfirm();
    if (failure) setNotice(isDismissed(failure) ? '' : (on.textOf ?? failureText)(failure));
  };
  return (
    <Dialog title={title} onClose={on.onClose}>
      <div class="dialog-text">{children}</div>
      {notice !== '' && <Notice>{notice}</Notice>}
      <Actions>
        <Button onPress={on.onClose} isFirst>
          {messages.cancel}
        </Button>
        <Button rank={rank} onPress={confirm}>
          {action}
        </Button>
      </Actions>
    </Dialog>
  );
}
