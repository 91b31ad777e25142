import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { profileMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { appData } from '../app-data.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { isDismissed } from '../passkey.js';
import { tabStorage } from '../tab-storage.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Notice } from '../ui/notice.js';
import { Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { useForm, type Explanation } from '../ui/use-form.js';
import { accountFailureText, hasReason } from './failure-texts.js';
import { useAccount } from './me.js';

const KEY = 'latchkey.pending-email';

interface PendingEmail {
  userId: string;
  newEmail: string;
}

/** Keeps in this tab to which address a link was sent. The service reports that to the owner of that mailbox only. */
const keepPendingEmail = (pending: PendingEmail): void => tabStorage.setItem(KEY, JSON.stringify(pending));

/** Returns the address that waits for its link to be opened. Undefined once it is the address of the user. */
function pendingEmailOf({ id, email }: { id: string; email: string }): string | undefined {
  const text = tabStorage.getItem(KEY);
  if (text === null) return undefined;
  const { userId, newEmail } = JSON.parse(text) as PendingEmail;
  if (userId === id && newEmail !== email) return newEmail;
  tabStorage.removeItem(KEY);
  return undefined;
}

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

/** Asks for the new address, to which a link is sent. */
function EmailDialog({
  onSent,
  onClose,
}: {
  onSent: (newEmail: string) => void;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  const form = useForm<'newEmail'>({
    initial: { newEmail: '' },
    explain,
    submit: async ({ newEmail }) => {
      const { error } = await guarded(() =>
        client.request('POST', '/auth/email/change', { body: { newEmail } }),
      );
      if (error) return error;
      onClose();
      onSent(newEmail.trim());
      return undefined;
    },
  });
  return (
    <Dialog title={messages.change} onClose={onClose}>
      <p class="dialog-text">{messages.changeLead}</p>
      <Form form={form} label={messages.change}>
        <Field
          form={form}
          name="newEmail"
          label={messages.newEmail}
          type="email"
          autocomplete="email"
          isFirst
        />
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.sendChange}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}

function explain(failure: Failure): Explanation<'newEmail'> | undefined {
  const isOwn = 'fields' in failure && failure.fields.some(({ reason }) => reason === 'not_allowed');
  if (isOwn) return { field: 'newEmail', text: messages.sameEmail };
  return hasReason(failure, 'mail_not_configured') ? { text: accountFailureText(failure) } : undefined;
}
