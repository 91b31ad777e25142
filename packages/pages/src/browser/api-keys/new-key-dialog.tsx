import type { VNode } from 'preact';
import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { ShownOnceDialog } from '../ui/shown-once-dialog.js';

interface NewKeyDialogProps {
  /** The text of the key. */
  text: string;
  onClose: () => void;
}

/** Shows a key that was made or replaced, once. */
export const NewKeyDialog = ({ text, onClose }: NewKeyDialogProps): VNode => (
  <ShownOnceDialog
    title={messages.shownTitle}
    lead={messages.shownLead}
    secret={text}
    copyLabel={messages.copy}
    doneLabel={messages.stored}
    onClose={onClose}
  />
);
