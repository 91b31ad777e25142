import type { VNode } from 'preact';
import type { Schemas } from '@latchkey/client';
import { keyMessages as messages } from '../../messages/en/company-programs.js';
import { client } from '../client.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { useAct, useCompany } from './company.js';
import { FormActions } from './parts.js';
import { explain } from './texts.js';

/** Renames an API key of the company. */
export function RenameKeyDialog({
  apiKey,
  onClose,
  onDone,
}: {
  apiKey: Schemas['ApiKey'];
  onClose: () => void;
  onDone: () => void;
}): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const title = messages.renameOf(apiKey.name);
  const done = (): void => {
    announce(messages.renamed, 'spoken');
    onClose();
    onDone();
  };
  const form = useForm<'name'>({
    initial: { name: apiKey.name },
    explain,
    submit: ({ name }) =>
      act(
        () =>
          client.request('PATCH', '/internal/companies/{companyId}/api-keys/{id}', {
            path: { companyId: company.id, id: apiKey.id },
            body: { name: name.trim() },
          }),
        done,
      ),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} label={title}>
        <Field form={form} name="name" label={messages.name} autocomplete="off" maxLength={100} isFirst />
        <FormActions form={form} onClose={onClose}>
          {messages.save}
        </FormActions>
      </Form>
    </Dialog>
  );
}
