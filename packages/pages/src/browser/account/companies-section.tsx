import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ownCompanyMessages as messages } from '../../messages/en/company.js';
import { appData } from '../app-data.js';
import { client } from '../client.js';
import { authorityOf } from '../company/company.js';
import { companyHref, viewsOf } from '../company/place.js';
import { roleText } from '../company/texts.js';
import { useCompanyName } from '../company/use-company-name.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { LinkButton } from '../ui/link-button.js';
import { List, Row, Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { accountFailureText, hasReason } from './failure-texts.js';
import { useAccount } from './me.js';

/** The companies of the user, which they can leave, and whose pages they open if they administer them. */
export function CompaniesSection(): VNode | null {
  const { me } = useAccount();
  const memberships = me.companyMemberships.filter(({ isActive }) => isActive);
  if (memberships.length === 0) return null;
  return (
    <Section title={messages.title} lead={messages.lead}>
      <List label={messages.title}>
        {memberships.map(({ companyId, role }) => (
          <CompanyRow key={companyId} companyId={companyId} role={role} />
        ))}
      </List>
    </Section>
  );
}

function CompanyRow({ companyId, role }: { companyId: string; role: string }): VNode {
  const { me } = useAccount();
  const [isLeaving, setLeaving] = useState(false);
  const name = useCompanyName(companyId);
  const mayAdminister = appData.hasCompanyPages && viewsOf(authorityOf(me, companyId)).length > 0;
  return (
    <Row
      title={name}
      details={[roleText(role)]}
      actions={
        <>
          {mayAdminister && (
            <LinkButton href={companyHref(companyId)}>{messages.administer(name)}</LinkButton>
          )}
          <Button label={messages.leaveOf(name)} onPress={() => setLeaving(true)}>
            {messages.leave}
          </Button>
          {isLeaving && <LeaveDialog companyId={companyId} name={name} onClose={() => setLeaving(false)} />}
        </>
      }
    />
  );
}

/** Asks before the user leaves a company. */
function LeaveDialog({
  companyId,
  name,
  onClose,
}: {
  companyId: string;
  name: string;
  onClose: () => void;
}): VNode {
  const { reload } = useAccount();
  const announce = useToast();
  const guarded = useGuarded();
  const leave = async () => {
    const { error } = await guarded(() => client.account.leaveCompany(companyId));
    if (error) return error;
    announce(messages.left(name), 'spoken');
    onClose();
    await reload();
    return undefined;
  };
  return (
    <ConfirmDialog
      title={messages.leaveTitle(name)}
      action={messages.leave}
      textOf={(failure) =>
        hasReason(failure, 'last_company_superadmin') ? messages.lastSuperadmin : accountFailureText(failure)
      }
      onConfirm={leave}
      onClose={onClose}
    >
      {messages.leaveText(name)}
    </ConfirmDialog>
  );
}
