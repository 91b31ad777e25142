import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { securityMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { client } from '../client.js';
import { passkeysWork } from '../passkey.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { fillText } from '../ui/fill-text.js';
import { Form, SubmitButton } from '../ui/form.js';
import { LoadState } from '../ui/load-state.js';
import { List, Row, Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { RelativeTime } from '../ui/time.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { useLoaded } from '../ui/use-loaded.js';
import { AddPasskeyDialog } from './add-passkey-dialog.js';
import { accountFailureText, hasReason } from './failure-texts.js';

type Passkey = Schemas['Passkey'];

/** The dialog that is open. */
type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** The passkeys: added, renamed and removed. */
export function PasskeysSection(): VNode {
  const loaded = useLoaded(() => client.passkeys.list());
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const { data: passkeys, reload } = loaded;
  return (
    <Section
      title={messages.passkeysTitle}
      lead={messages.passkeysLead}
      actions={
        passkeysWork() ? (
          <Button onPress={() => setOpen({ kind: 'add' })}>{messages.addPasskey}</Button>
        ) : (
          <p class="hint">{messages.passkeysUnsupported}</p>
        )
      }
    >
      <LoadState loaded={loaded} />
      {passkeys?.length === 0 && <p class="empty">{messages.noPasskeys}</p>}
      {passkeys && passkeys.length > 0 && (
        <List label={messages.passkeysTitle}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpen} />
          ))}
        </List>
      )}
      {open?.kind === 'add' && <AddPasskeyDialog onDone={reload} onClose={close} />}
      {open?.kind === 'rename' && (
        <RenamePasskeyDialog passkey={open.passkey} onDone={reload} onClose={close} />
      )}
      {open?.kind === 'remove' && <RemovePasskey passkey={open.passkey} onDone={reload} onClose={close} />}
    </Section>
  );
}

const PasskeyRow = ({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }): VNode => (
  <Row
    title={passkey.name}
    details={[<Times {...passkey} />, passkey.backedUp ? messages.synced : messages.deviceBound]}
    actions={
      <>
        <Button label={messages.renameOf(passkey.name)} onPress={() => onOpen({ kind: 'rename', passkey })}>
          {messages.rename}
        </Button>
        <Button label={messages.removeOf(passkey.name)} onPress={() => onOpen({ kind: 'remove', passkey })}>
          {messages.remove}
        </Button>
      </>
    }
  />
);

/** When something was added and last used. */
export const Times = ({ createdAt, lastUsedAt }: { createdAt: string; lastUsedAt?: string }): VNode => (
  <>
    {fillText(messages.added, { time: <RelativeTime at={createdAt} /> })}
    {', '}
    {lastUsedAt === undefined
      ? messages.neverUsed
      : fillText(messages.lastUsed, { time: <RelativeTime at={lastUsedAt} /> })}
  </>
);

function RemovePasskey({
  passkey,
  onDone,
  onClose,
}: {
  passkey: Passkey;
  onDone: () => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  const announce = useToast();
  return (
    <ConfirmDialog
      title={messages.removePasskeyTitle(passkey.name)}
      action={messages.remove}
      textOf={accountFailureText}
      onConfirm={async () => {
        const { error } = await guarded(() => client.passkeys.remove(passkey.id));
        if (error) return error;
        await onDone();
        onClose();
        announce(messages.passkeyRemoved, 'spoken');
        return undefined;
      }}
      onClose={onClose}
    >
      {messages.removePasskeyText}
    </ConfirmDialog>
  );
}

function RenamePasskeyDialog({
  passkey,
  onDone,
  onClose,
}: {
  passkey: Schemas['Passkey'];
  onDone: () => Promise<void>;
  onClose: () => void;
}): VNode {
  const announce = useToast();
  const form = useForm<'name'>({
    initial: { name: passkey.name },
    explain: (failure) =>
      hasReason(failure, 'passkey_not_found') ? { text: accountFailureText(failure) } : undefined,
    submit: async ({ name }) => {
      const { error } = await client.passkeys.rename(passkey.id, name.trim());
      if (error) return error;
      await onDone();
      onClose();
      announce(messages.passkeyRenamed, 'spoken');
      return undefined;
    },
  });
  return (
    <Dialog title={messages.renameTitle} onClose={onClose}>
      <Form form={form} label={messages.renameTitle}>
        <Field
          form={form}
          name="name"
          label={messages.passkeyName}
          hint={messages.passkeyNameHint}
          autocomplete="off"
          maxLength={100}
          isFirst
        />
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.save}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}
