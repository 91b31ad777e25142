import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { Actions, Dialog } from './dialog.js';

interface ShownOnceDialogProps {
  title: string;
  lead: string;
  secret: string;
  /** The label of the button that copies the secret. */
  copyLabel: string;
  /** The label of the button that closes the dialog: it says that the secret is stored. */
  doneLabel: string;
  onClose: () => void;
}

/** Shows a new secret once. It closes by its button alone: a stray key must not lose the secret. */
export function ShownOnceDialog({ title, lead, secret, copyLabel, ...is }: ShownOnceDialogProps): VNode {
  const shown = useRef<HTMLElement>(null);
  return (
    <Dialog title={title}>
      <p class="dialog-text">{lead}</p>
      <p class="secret">
        <code ref={shown}>{secret}</code>
      </p>
      <div class="button-row start">
        <CopyButton text={secret} label={copyLabel} shownIn={() => shown.current} />
      </div>
      <Actions>
        <Button rank="primary" onPress={is.onClose}>
          {is.doneLabel}
        </Button>
      </Actions>
    </Dialog>
  );
}
