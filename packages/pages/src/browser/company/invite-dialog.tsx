import type { VNode } from 'preact';
import { invitationViewMessages as messages, memberMessages } from '../../messages/en/company.js';
import { client } from '../client.js';
import { Dialog } from '../ui/dialog.js';
import { Field, SelectField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { useAct, useCompany } from './company.js';
import { FormActions, GrantFields } from './parts.js';
import { explain, keysIn, roleText } from './texts.js';
import type { useRoles } from './use-roles.js';

interface InviteDialogProps {
  roles: ReturnType<typeof useRoles>;
  onClose: () => void;
  onDone: () => void;
}

/** Returns the state of the form, which invites. */
function useInvitation({ onClose, onDone }: Omit<InviteDialogProps, 'roles'>) {
  const { id, name } = useCompany().company;
  const announce = useToast();
  const act = useAct();
  return useForm<'email' | 'role' | 'modules' | 'permissions'>({
    initial: { email: '', role: 'MEMBER', modules: '', permissions: '' },
    explain,
    submit: ({ email, role, ...grants }) => {
      const moduleGrants = keysIn(grants.modules);
      const permissionGrants = keysIn(grants.permissions);
      return act(
        () =>
          client.invitations.create(id, {
            email,
            role,
            ...(moduleGrants.length > 0 && { moduleGrants }),
            ...(permissionGrants.length > 0 && { permissionGrants }),
            ...(name !== undefined && { metadata: { companyName: name } }),
          }),
        () => {
          announce(messages.invited(email.trim()), 'spoken');
          onClose();
          onDone();
        },
      );
    },
  });
}

/** Invites an address. Delegates offer what they may grant, as members. */
export function InviteDialog({ roles, onClose, onDone }: InviteDialogProps): VNode {
  const { company } = useCompany();
  const { grantable } = company;
  const form = useInvitation({ onClose, onDone });
  return (
    <Dialog title={messages.inviteTitle} onClose={onClose}>
      <p class="dialog-text">{messages.inviteText}</p>
      <Form form={form} label={messages.inviteTitle}>
        <Field form={form} name="email" label={messages.email} type="email" autocomplete="off" isFirst />
        {roles.givable.length > 1 && (
          <SelectField
            form={form}
            name="role"
            label={memberMessages.role}
            autocomplete="off"
            options={roles.givable.map((key) => [key, roleText(key, roles.defined)] as const)}
          />
        )}
        <GrantFields
          form={form}
          hint={grantable ? messages.delegateHint : messages.modulesHint}
          modules={grantable?.grantableModules ?? company.modules}
          permissions={grantable?.grantablePermissions ?? company.permissions}
        />
        <FormActions form={form} onClose={onClose}>
          {messages.invite}
        </FormActions>
      </Form>
    </Dialog>
  );
}
