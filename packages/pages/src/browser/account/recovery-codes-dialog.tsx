import type { VNode } from 'preact';
import { securityMessages as messages } from '../../messages/en/account.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { RecoveryCodes } from '../ui/recovery-codes.js';
import { useAccount } from './me.js';

/** Shows new recovery codes once. It closes by its button alone: a stray key must not lose them. */
export const RecoveryCodesDialog = ({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}): VNode => (
  <Dialog title={messages.codesTitle}>
    <p class="dialog-text">{messages.codesLead}</p>
    <RecoveryCodes codes={codes} email={useAccount().me.email} />
    <Actions>
      <Button rank="primary" onPress={onClose}>
        {messages.codesSaved}
      </Button>
    </Actions>
  </Dialog>
);
