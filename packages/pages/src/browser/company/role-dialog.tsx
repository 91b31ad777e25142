import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestInput, Schemas } from '@latchkey/client';
import { roleMessages as messages } from '../../messages/en/company.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { Notice } from '../ui/notice.js';
import { useToast } from '../ui/toast.js';
import { useForm, type FormState } from '../ui/use-form.js';
import { useAct, useCompany } from './company.js';
import { DelegationFields, FormActions, GrantFields } from './parts.js';
import { RolePreview } from './role-preview.js';
import { companyFailureText, explain, keysIn } from './texts.js';
import type { DefinedRole } from './use-roles.js';

type Definition = RequestInput<'PUT', '/internal/companies/{companyId}/roles/{key}'>['body'];
type FieldName = 'key' | 'name' | 'description' | 'modules' | 'permissions' | 'invites' | 'grantable';

/** The definition to save, and the changes that it would make. */
interface Checked {
  key: string;
  body: Definition;
  preview: Schemas['RolePreview'];
}

const valuesOf = (role: DefinedRole | undefined): Record<FieldName, string> => ({
  key: role?.key ?? '',
  name: role?.name ?? '',
  description: role?.description ?? '',
  modules: role?.modules.join(' ') ?? '',
  permissions: role?.permissions.join(' ') ?? '',
  invites: role?.delegation.canManageUsers ? 'yes' : '',
  grantable: role?.delegation.grantableModules.join(' ') ?? '',
});

/** Returns the definition of the fields: what they do not show stays as it is. */
function definitionOf(values: Record<FieldName, string>, role: DefinedRole | undefined): Definition {
  const description = values.description.trim();
  return {
    name: values.name.trim(),
    ...(description !== '' && { description }),
    modules: keysIn(values.modules),
    permissions: keysIn(values.permissions),
    delegation: {
      ...role?.delegation,
      canManageUsers: values.invites !== '',
      grantableModules: keysIn(values.grantable),
    },
  };
}

/** Returns the key of what was typed: "Account manager" is `ACCOUNT_MANAGER`. */
const roleKeyOf = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');

interface RoleDialogProps {
  /** Missing for a new one. A template is replaced in this company. */
  role?: DefinedRole;
  onClose: () => void;
  onDone: () => void;
}

/** Defines a role: first the contents, then what members gain and lose, then it is saved. */
export function RoleDialog({ role, onClose, onDone }: RoleDialogProps): VNode {
  const { company } = useCompany();
  const act = useAct();
  const [checked, setChecked] = useState<Checked>();
  const form = useForm<FieldName>({
    initial: valuesOf(role),
    explain,
    submit: (values) => {
      const key = role?.key ?? roleKeyOf(values.key);
      const body = definitionOf(values, role);
      return act(
        () =>
          client.request('POST', '/internal/companies/{companyId}/roles/{key}/preview', {
            path: { companyId: company.id, key },
            body,
          }),
        (preview) => setChecked({ key, body, preview }),
      );
    },
  });
  const title = role ? messages.editTitle(role.name) : messages.defineTitle;
  return (
    <Dialog
      key={checked ? 'preview' : 'form'}
      title={checked ? messages.previewTitle : title}
      onClose={onClose}
    >
      {checked ? (
        <SavePreviewed
          checked={checked}
          version={role?.isTemplate === false ? role.version : undefined}
          onBack={() => setChecked(undefined)}
          onDone={onDone}
        />
      ) : (
        <Form form={form} label={title}>
          <RoleFields form={form} isNew={!role} />
          <FormActions form={form} onClose={onClose}>
            {messages.preview}
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}

function RoleFields({ form, isNew }: { form: FormState<FieldName>; isNew: boolean }): VNode {
  const { company } = useCompany();
  return (
    <>
      {isNew && (
        <Field
          form={form}
          name="key"
          label={messages.key}
          hint={messages.keyHint}
          autocomplete="off"
          maxLength={64}
          isFirst
        />
      )}
      <Field
        form={form}
        name="name"
        label={messages.name}
        autocomplete="off"
        maxLength={80}
        isFirst={!isNew}
      />
      <Field
        form={form}
        name="description"
        label={messages.description}
        autocomplete="off"
        maxLength={500}
        isOptional
      />
      <GrantFields form={form} modules={company.modules} permissions={company.permissions} />
      <DelegationFields form={form} modules={company.modules} />
    </>
  );
}

interface SavePreviewedProps {
  checked: Checked;
  /** The version that was edited: if another one is in effect, nothing changes. */
  version: number | undefined;
  onBack: () => void;
  onDone: () => void;
}

function SavePreviewed({
  checked: { key, body, preview },
  version,
  onBack,
  onDone,
}: SavePreviewedProps): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const [notice, setNotice] = useState('');
  const save = async (): Promise<void> => {
    setNotice('');
    const failure = await act(
      () =>
        client.request('PUT', '/internal/companies/{companyId}/roles/{key}', {
          path: { companyId: company.id, key },
          body: { ...body, ...(version !== undefined && { version }) },
        }),
      () => {
        announce(messages.saved, 'spoken');
        onDone();
      },
    );
    if (failure && failure.code !== 'aborted') setNotice(companyFailureText(failure));
  };
  return (
    <>
      <RolePreview preview={preview} />
      {notice !== '' && <Notice>{notice}</Notice>}
      <Actions>
        <Button onPress={onBack}>{messages.backToForm}</Button>
        <Button rank="primary" onPress={save}>
          {messages.save}
        </Button>
      </Actions>
    </>
  );
}
