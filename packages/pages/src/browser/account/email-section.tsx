import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { profileMessages as messages } from '../../messages/en/account.js';
import { appData } from '../app-data.js';
import { client } from '../client.js';
import { isDismissed } from '../passkey.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { EmailDialog } from './email-dialog.js';
import { accountFailureText } from './failure-texts.js';
import { useAccount } from './me.js';
import { keepPendingEmail, pendingEmailOf } from './pending-email.js';

/** The email address: whether it is confirmed, and its change. */
export function EmailSection(): VNode {
  const { me } = useAccount();
  const announce = useToast();
  const guarded = useGuarded();
  const [isChanging, setChanging] = useState(false);
  const [pending, setPending] = useState(() => pendingEmailOf(me));
  const keep = (newEmail: string): void => {
    keepPendingEmail({ userId: me.id, newEmail });
    setPending(newEmail);
    announce(messages.changeSent(newEmail), 'spoken');
  };
  const sendAgain = async (newEmail: string): Promise<void> => {
    const { error } = await guarded(() =>
      client.request('POST', '/auth/email/change', { body: { newEmail } }),
    );
    if (!error) keep(newEmail);
    else if (!isDismissed(error)) announce(accountFailureText(error), 'danger');
  };
  const shown = pending === me.email ? undefined : pending;
  return (
    <Section
      title={messages.emailTitle}
      lead={messages.emailLead}
      actions={<Button onPress={() => setChanging(true)}>{messages.change}</Button>}
    >
      <div class="panel-body">
        <Address />
        {shown !== undefined && (
          <Notice tone="info">
            <p>{messages.pending(shown)}</p>
            <Button rank="quiet" onPress={() => sendAgain(shown)}>
              {messages.sendChangeAgain}
            </Button>
          </Notice>
        )}
      </div>
      {isChanging && <EmailDialog onSent={keep} onClose={() => setChanging(false)} />}
    </Section>
  );
}

function Address(): VNode {
  const { email, emailVerifiedAt } = useAccount().me;
  const announce = useToast();
  const isConfirmed = emailVerifiedAt !== undefined;
  const sendLink = async (): Promise<void> => {
    const { error } = await client.request('POST', '/auth/email/verify/resend', { body: { email } });
    if (error) announce(accountFailureText(error), 'danger');
    else announce(messages.linkSent(email));
  };
  const canConfirm = !isConfirmed && appData.emailVerification;
  return (
    <div class="address">
      <p class="row-title">
        <span>{email}</span>
        {isConfirmed && <span class="badge success">{messages.confirmed}</span>}
        {canConfirm && <span class="badge warning">{messages.unconfirmed}</span>}
      </p>
      {canConfirm && (
        <Button rank="quiet" onPress={sendLink}>
          {messages.sendLink}
        </Button>
      )}
    </div>
  );
}
