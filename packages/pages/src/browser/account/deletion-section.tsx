import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { deletionMessages as messages } from '../../messages/en/account.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { fillText } from '../ui/fill-text.js';
import { Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { dateTimeText } from '../ui/time.js';
import { WholePage } from '../ui/whole-page.js';
import { accountFailureText, hasReason } from './failure-texts.js';
import { useAccount } from './me.js';

/** Deletes the account, after a question. */
export function DeletionSection(): VNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        <Button rank="danger" onPress={() => setAsking(true)}>
          {messages.action}
        </Button>
      }
    >
      {isAsking && <DeletionDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

function DeletionDialog({ onClose }: { onClose: () => void }): VNode {
  const { me, closed } = useAccount();
  const guarded = useGuarded();
  const remove = async () => {
    const { data, error } = await guarded(() => client.request('DELETE', '/auth/me'));
    if (error) return error;
    closed(data.deleteAt);
    // The session has ended; this browser forgets it, too.
    await client.signOut();
    return undefined;
  };
  return (
    <ConfirmDialog
      title={messages.question}
      action={messages.action}
      textOf={(failure) => {
        if (hasReason(failure, 'deletion_of_staff')) return messages.staff;
        if (hasReason(failure, 'last_company_superadmin')) return messages.lastSuperadmin;
        return accountFailureText(failure);
      }}
      onConfirm={remove}
      onClose={onClose}
    >
      {fillText(messages.text, { email: <strong>{me.email}</strong> })}
    </ConfirmDialog>
  );
}

/** Says when the account is deleted, and how to keep it. */
export function AccountClosed({ email, deleteAt }: { email: string; deleteAt: string }): VNode {
  const values = { time: <strong>{dateTimeText(deleteAt)}</strong>, email: <strong>{email}</strong> };
  return (
    <WholePage
      title={messages.doneHeading}
      text={
        <>
          {fillText(messages.done, values)} {messages.mayClose}
        </>
      }
    />
  );
}
