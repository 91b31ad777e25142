import type { VNode } from 'preact';
import type { RequestInput } from '@latchkey/client';
import { memberMessages as messages } from '../../messages/en/company.js';
import { client } from '../client.js';
import { Dialog } from '../ui/dialog.js';
import { SelectField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { useAct, useCompany } from './company.js';
import type { Member } from './members-view.js';
import { DelegationFields, FormActions, GrantFields } from './parts.js';
import { explain, keysIn, nameOf, roleText } from './texts.js';
import type { useRoles } from './use-roles.js';

const valuesOf = ({ role, moduleGrants, permissionGrants, delegation }: Member['membership']) => ({
  role,
  modules: moduleGrants.join(' '),
  permissions: permissionGrants.join(' '),
  invites: delegation.canManageUsers ? 'yes' : '',
  grantable: delegation.grantableModules.join(' '),
});

type Values = ReturnType<typeof valuesOf>;

/** Returns the fields that differ from those of the membership. */
function changeOf(
  values: Values,
  { id, membership }: Member,
): RequestInput<'POST', '/internal/companies/{companyId}/memberships'>['body'] {
  const before = valuesOf(membership);
  const isNew = (name: keyof Values): boolean => values[name] !== before[name];
  return {
    userId: id,
    ...(isNew('role') && { role: values.role }),
    ...(isNew('modules') && { moduleGrants: keysIn(values.modules) }),
    ...(isNew('permissions') && { permissionGrants: keysIn(values.permissions) }),
    ...((isNew('invites') || isNew('grantable')) && {
      delegation: {
        ...membership.delegation,
        canManageUsers: values.invites !== '',
        grantableModules: keysIn(values.grantable),
      },
    }),
  };
}

interface MemberDialogProps {
  member: Member;
  roles: ReturnType<typeof useRoles>;
  onClose: () => void;
  onDone: () => void;
}

/** Changes role, grants and delegation of a member. */
export function MemberDialog({ member, roles, onClose, onDone }: MemberDialogProps): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const form = useForm<keyof Values>({
    initial: valuesOf(member.membership),
    explain,
    submit: (values) =>
      act(
        () => client.companies.saveMembership(company.id, changeOf(values, member)),
        () => {
          announce(messages.saved, 'spoken');
          onDone();
        },
      ),
  });
  const { role } = member.membership;
  const choices = roles.givable.includes(role) ? roles.givable : [...roles.givable, role];
  return (
    <Dialog title={messages.editTitle(nameOf(member))} onClose={onClose}>
      <Form form={form} label={messages.editTitle(nameOf(member))}>
        <SelectField
          form={form}
          name="role"
          label={messages.role}
          autocomplete="off"
          options={choices.map((key) => [key, roleText(key, roles.defined)] as const)}
          isFirst
        />
        <GrantFields
          form={form}
          hint={messages.modulesHint}
          modules={company.modules}
          permissions={company.permissions}
        />
        <DelegationFields form={form} modules={company.modules} />
        <FormActions form={form} onClose={onClose}>
          {messages.save}
        </FormActions>
      </Form>
    </Dialog>
  );
}
