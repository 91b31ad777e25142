import type { VNode } from 'preact';
import type { Schemas } from '@latchkey/client';
import { keyMessages as messages } from '../../messages/en/company-programs.js';
import { client } from '../client.js';
import { Dialog } from '../ui/dialog.js';
import { Field, SelectField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useForm } from '../ui/use-form.js';
import { useAct, useCompany } from './company.js';
import { FormActions, GrantFields } from './parts.js';
import { explain, keysIn } from './texts.js';

interface KeyDialogProps {
  onClose: () => void;
  onMade: (key: Schemas['NewApiKey']) => void;
}

const DAY = 86_400;
const { usual, month, quarter, year } = messages.lifetimes;
const LIFETIMES = [
  ['', usual],
  [String(30 * DAY), month],
  [String(90 * DAY), quarter],
  [String(365 * DAY), year],
] as const;

/** Makes an API key of the company. */
export function KeyDialog({ onClose, onMade }: KeyDialogProps): VNode {
  const { company } = useCompany();
  const act = useAct();
  const form = useForm<'name' | 'modules' | 'permissions' | 'expiresIn'>({
    initial: { name: '', modules: '', permissions: '', expiresIn: '' },
    explain,
    submit: ({ name, modules, permissions, expiresIn }) =>
      act(
        () =>
          client.request('POST', '/internal/companies/{companyId}/api-keys', {
            path: { companyId: company.id },
            body: {
              name: name.trim(),
              modules: keysIn(modules),
              permissions: keysIn(permissions),
              ...(expiresIn !== '' && { expiresIn: Number(expiresIn) }),
            },
          }),
        onMade,
      ),
  });
  return (
    <Dialog title={messages.createTitle} onClose={onClose}>
      <Form form={form} label={messages.createTitle}>
        <Field
          form={form}
          name="name"
          label={messages.name}
          hint={messages.nameHint}
          autocomplete="off"
          maxLength={100}
          isFirst
        />
        <GrantFields form={form} modules={company.modules} permissions={company.permissions} />
        <SelectField
          form={form}
          name="expiresIn"
          label={messages.lifetime}
          autocomplete="off"
          options={LIFETIMES}
          isOptional
        />
        <FormActions form={form} onClose={onClose}>
          {messages.create}
        </FormActions>
      </Form>
    </Dialog>
  );
}
