import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { securityMessages as messages } from '../../messages/en/account.js';
import { download } from '../download.js';
import { pageData } from '../page-data.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { useAccount } from './me.js';

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Shows new recovery codes once. It closes by its button alone: a stray key must not lose them. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps): VNode {
  const list = useRef<HTMLUListElement>(null);
  const { email } = useAccount().me;
  const save = (): void => {
    const lines = [messages.fileHeading(email, pageData.brand), messages.fileNote, '', ...codes, ''];
    download('recovery-codes.txt', lines.join('\n'), 'text/plain');
  };
  return (
    <Dialog title={messages.codesTitle}>
      <p class="dialog-text">{messages.codesLead}</p>
      <ul class="codes" ref={list} aria-label={messages.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="button-row start">
        <CopyButton text={codes.join('\n')} label={messages.copy} shownIn={() => list.current} />
        <Button onPress={save}>{messages.download}</Button>
        <Button onPress={() => window.print()}>{messages.print}</Button>
      </div>
      <Actions>
        <Button rank="primary" onPress={onClose}>
          {messages.codesSaved}
        </Button>
      </Actions>
    </Dialog>
  );
}
