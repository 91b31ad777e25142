import type { VNode } from 'preact';
import { memberMessages as messages } from '../../messages/en/company.js';
import { nameMessages as names } from '../../messages/en/console/names.js';
import { client } from '../client.js';
import { Dialog } from '../ui/dialog.js';
import { Field, SelectField } from '../ui/field.js';
import { Form } from '../ui/form.js';
import { useToast } from '../ui/toast.js';
import { useForm } from '../ui/use-form.js';
import { useAct, useCompany } from './company.js';
import type { Member } from './members-view.js';
import { Check, FormActions } from './parts.js';
import { explain, nameOf } from './texts.js';

interface FinanceDialogProps {
  member: Member;
  onClose: () => void;
  onDone: () => void;
}

const ROLES = [
  ['', messages.noFinanceRole],
  ['SUBMITTER', names.finance.SUBMITTER],
  ['APPROVER', names.finance.APPROVER],
] as const;

const isRole = (text: string): text is 'SUBMITTER' | 'APPROVER' =>
  text === 'SUBMITTER' || text === 'APPROVER';

/** Returns the state of the form, which changes the finance fields of a member. */
function useFinance({ member, onDone }: Pick<FinanceDialogProps, 'member' | 'onDone'>) {
  const { company } = useCompany();
  const { membership } = member;
  const announce = useToast();
  const act = useAct();
  return useForm<'financeRole' | 'approvalLimit' | 'primary'>({
    initial: {
      financeRole: membership.financeRole ?? '',
      approvalLimit: membership.approvalLimit ?? '',
      primary: membership.isPrimaryFinanceAdmin ? 'yes' : '',
    },
    explain,
    submit: ({ financeRole, approvalLimit, primary }) =>
      act(
        () =>
          client.request('PATCH', '/internal/companies/{companyId}/finance-memberships/{userId}', {
            path: { companyId: company.id, userId: member.id },
            body: {
              financeRole: isRole(financeRole) ? financeRole : null,
              approvalLimit: approvalLimit.trim() === '' ? null : approvalLimit.trim(),
              isPrimaryFinanceAdmin: primary !== '',
            },
          }),
        () => {
          announce(messages.saved, 'spoken');
          onDone();
        },
      ),
  });
}

/** Changes the finance role of a member, the approval limit, and whether they are the primary finance admin. */
export function FinanceDialog({ member, onClose, onDone }: FinanceDialogProps): VNode {
  const form = useFinance({ member, onDone });
  const title = messages.financeTitle(nameOf(member));
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} label={title}>
        <SelectField
          form={form}
          name="financeRole"
          label={messages.financeRole}
          autocomplete="off"
          options={ROLES}
          isFirst
        />
        <Field
          form={form}
          name="approvalLimit"
          label={messages.approvalLimit}
          hint={messages.approvalLimitHint}
          autocomplete="off"
          maxLength={20}
          isOptional
        />
        <Check
          label={messages.primary}
          isChecked={form.values.primary !== ''}
          onChange={(is) => form.set('primary', is ? 'yes' : '')}
        />
        <FormActions form={form} onClose={onClose}>
          {messages.save}
        </FormActions>
      </Form>
    </Dialog>
  );
}
