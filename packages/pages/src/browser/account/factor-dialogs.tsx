import type { VNode } from 'preact';
import type { Schemas } from '@latchkey/client';
import { securityMessages as messages } from '../../messages/en/account.js';
import { client } from '../client.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { useGuarded } from '../ui/step-up.js';
import { accountFailureText } from './failure-texts.js';

/** Asks before an authenticator app is removed. */
export function RemoveFactor({
  factor,
  isLast,
  onDone,
  onClose,
}: {
  factor: Schemas['Factor'];
  isLast: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  return (
    <ConfirmDialog
      title={messages.removeAppTitle(factor.name)}
      action={messages.remove}
      textOf={accountFailureText}
      onConfirm={async () => {
        const { error } = await guarded(() => client.factors.remove(factor.id));
        if (!error) await onDone();
        return error;
      }}
      onClose={onClose}
    >
      {isLast ? messages.removeLastApp : messages.removeApp}
    </ConfirmDialog>
  );
}

/** Asks before recovery codes are replaced. */
export function RenewCodes({
  onDone,
  onClose,
}: {
  onDone: (codes: readonly string[]) => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  return (
    <ConfirmDialog
      title={messages.renewTitle}
      action={messages.renewCodes}
      rank="primary"
      textOf={accountFailureText}
      onConfirm={async () => {
        const { data, error } = await guarded(() => client.factors.renewRecoveryCodes());
        if (!error) await onDone(data.recoveryCodes);
        return error;
      }}
      onClose={onClose}
    >
      {messages.renewText}
    </ConfirmDialog>
  );
}
