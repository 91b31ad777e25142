import type { VNode } from 'preact';
import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { uiMessages } from '../../messages/en/ui.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field, SelectField } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { explainKeyFailure, keyFailureText, type ApiKey, type KeyMethods } from './key-methods.js';

interface KeyDialogProps {
  apiKey: ApiKey;
  methods: KeyMethods;
  onDone: () => Promise<void>;
  onClose: () => void;
}

export function RenameKeyDialog({ apiKey, methods, onDone, onClose }: KeyDialogProps): VNode {
  const guarded = useGuarded();
  const announce = useToast();
  const form = useForm<'name'>({
    initial: { name: apiKey.name },
    explain: explainKeyFailure,
    submit: async ({ name }) => {
      const { error } = await guarded(() => methods.rename(apiKey.id, name.trim()));
      if (error) return error;
      await onDone();
      onClose();
      announce(messages.renamed, 'spoken');
      return undefined;
    },
  });
  return (
    <Dialog title={messages.renameTitle} onClose={onClose}>
      <Form form={form} label={messages.renameTitle}>
        <Field
          form={form}
          name="name"
          label={messages.name}
          hint={messages.nameHint}
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

/** The seconds for which the former key is accepted, too. */
const OVERLAPS = [
  ['0', messages.overlaps.none],
  ['3600', messages.overlaps.hour],
  ['86400', messages.overlaps.day],
] as const;

/** Replaces the text of a key; a program may need the former one for a while. */
export function RotateKeyDialog({
  apiKey,
  methods,
  ...on
}: Omit<KeyDialogProps, 'onClose'> & { onRotated: (text: string) => void; onClose: () => void }): VNode {
  const guarded = useGuarded();
  const title = messages.rotateTitle(apiKey.name);
  const form = useForm<'overlap'>({
    initial: { overlap: '0' },
    explain: explainKeyFailure,
    submit: async ({ overlap }) => {
      const { data, error } = await guarded(() => methods.rotate(apiKey.id, { overlap: Number(overlap) }));
      if (error) return error;
      on.onRotated(data.key);
      await on.onDone();
      return undefined;
    },
  });
  return (
    <Dialog title={title} onClose={on.onClose}>
      <p class="dialog-text">{messages.rotateLead}</p>
      <Form form={form} label={title}>
        <SelectField
          form={form}
          name="overlap"
          label={messages.overlap}
          autocomplete="off"
          options={OVERLAPS}
          isFirst
        />
        <Actions>
          <Button onPress={on.onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.rotateAction}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}

export function RevokeKeyDialog({ apiKey, methods, onDone, onClose }: KeyDialogProps): VNode {
  const announce = useToast();
  return (
    <ConfirmDialog
      title={messages.revokeTitle(apiKey.name)}
      action={messages.revoke}
      textOf={keyFailureText}
      onConfirm={async () => {
        const { error } = await methods.revoke(apiKey.id);
        if (error) return error;
        await onDone();
        onClose();
        announce(messages.revoked, 'spoken');
        return undefined;
      }}
      onClose={onClose}
    >
      {messages.revokeText}
    </ConfirmDialog>
  );
}
