import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import { Actions, Dialog } from '../ui/dialog.js';

interface SecretDialogProps {
  title: string;
  /** Says that it is shown once. */
  lead: string;
  secret: string;
  texts: { copy: string; done: string };
  onClose: () => void;
}

/** Shows a secret that cannot be read later. Escape does not close it by mistake. */
export function SecretDialog({ title, lead, secret, texts, onClose }: SecretDialogProps): VNode {
  const shown = useRef<HTMLElement>(null);
  return (
    <Dialog title={title}>
      <p class="dialog-text">{lead}</p>
      <p class="secret">
        <code ref={shown}>{secret}</code>
      </p>
      <Actions>
        <CopyButton text={secret} label={texts.copy} shownIn={() => shown.current} />
        <Button rank="primary" onPress={onClose}>
          {texts.done}
        </Button>
      </Actions>
    </Dialog>
  );
}
