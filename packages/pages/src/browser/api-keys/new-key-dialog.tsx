import type { VNode } from 'preact';
import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { ShownOnceDialog } from '../ui/shown-once-dialog.js';

/** Shows a key that was made or replaced, once. */
export const NewKeyDialog = ({
  text,
  onClose,
}: {
  /** The text of the key. */
  text: string;
  onClose: () => void;
}): VNode => (
  <ShownOnceDialog
    title={messages.shownTitle}
    lead={messages.shownLead}
    secret={text}
    copyLabel={messages.copy}
    doneLabel={messages.stored}
    onClose={onClose}
  />
);
