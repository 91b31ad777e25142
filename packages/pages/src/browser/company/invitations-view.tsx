import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { invitationViewMessages as messages } from '../../messages/en/company.js';
import { nameMessages as names } from '../../messages/en/console/names.js';
import { client } from '../client.js';
import { keyOf } from '../console/use-query.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { fillText } from '../ui/fill-text.js';
import { List, Row, Section } from '../ui/section.js';
import { RelativeTime } from '../ui/time.js';
import { useToast } from '../ui/toast.js';
import { useAct, useCompany, useCompanyQuery } from './company.js';
import { InviteDialog } from './invite-dialog.js';
import { Listed, PAGE_SIZE, Pager } from './parts.js';
import { companyFailureText, roleText } from './texts.js';
import { useRoles } from './use-roles.js';

type Invitation = Schemas['Invitation'];

/** The invitations to the company, newest first. */
export function InvitationsView(): VNode {
  const { company } = useCompany();
  const [page, setPage] = useState(1);
  const [isInviting, setInviting] = useState(false);
  const [cancelled, setCancelled] = useState<Invitation>();
  const roles = useRoles();
  const offset = (page - 1) * PAGE_SIZE;
  const invitations = useCompanyQuery(keyOf(company.id, offset), () =>
    client.invitations.list(company.id, { limit: PAGE_SIZE, offset }),
  );
  return (
    <Section
      title={messages.title}
      actions={
        <Button rank="primary" onPress={() => setInviting(true)}>
          {messages.invite}
        </Button>
      }
    >
      <Listed query={invitations} empty={messages.none}>
        {(items) => (
          <List label={messages.title}>
            {items.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                role={roleText(invitation.role, roles.defined)}
                onCancel={() => setCancelled(invitation)}
                onChanged={invitations.reload}
              />
            ))}
          </List>
        )}
      </Listed>
      <Pager page={page} total={invitations.total} onPage={setPage} />
      {isInviting && (
        <InviteDialog roles={roles} onClose={() => setInviting(false)} onDone={invitations.reload} />
      )}
      {cancelled && (
        <CancelDialog
          invitation={cancelled}
          onClose={() => setCancelled(undefined)}
          onDone={invitations.reload}
        />
      )}
    </Section>
  );
}

function InvitationRow({
  invitation,
  role,
  onCancel,
  onChanged,
}: {
  invitation: Invitation;
  role: string;
  onCancel: () => void;
  onChanged: () => void;
}): VNode {
  const { company } = useCompany();
  const { id, email, status, expiresAt, acceptedAt, moduleGrants } = invitation;
  const announce = useToast();
  const act = useAct();
  const resend = async (): Promise<void> => {
    const failure = await act(
      () => client.invitations.resend(company.id, id),
      () => announce(messages.resent(email)),
    );
    if (failure) announce(companyFailureText(failure), 'danger');
    onChanged();
  };
  const isOpen = status === 'PENDING' || status === 'EXPIRED';
  return (
    <Row
      title={email}
      badge={names.invitation[status]}
      details={[
        role,
        moduleGrants.length > 0 && messages.modulesAre(moduleGrants.join(', ')),
        status === 'PENDING' && fillText(messages.expires, { time: <RelativeTime at={expiresAt} /> }),
        status === 'EXPIRED' && fillText(messages.expired, { time: <RelativeTime at={expiresAt} /> }),
        acceptedAt && fillText(messages.accepted, { time: <RelativeTime at={acceptedAt} /> }),
      ]}
      actions={
        isOpen && (
          <>
            <Button label={messages.resendOf(email)} onPress={resend}>
              {messages.resend}
            </Button>
            <Button label={messages.cancelOf(email)} onPress={onCancel}>
              {messages.cancel}
            </Button>
          </>
        )
      }
    />
  );
}

function CancelDialog({
  invitation: { id, email },
  onClose,
  onDone,
}: {
  invitation: Invitation;
  onClose: () => void;
  onDone: () => void;
}): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const cancel = () =>
    act(
      () => client.invitations.cancel(company.id, id),
      () => {
        announce(messages.cancelled, 'spoken');
        onClose();
        onDone();
      },
    );
  return (
    <ConfirmDialog
      title={messages.cancelTitle(email)}
      action={messages.cancelAction}
      textOf={companyFailureText}
      onConfirm={cancel}
      onClose={onClose}
    >
      {messages.cancelText}
    </ConfirmDialog>
  );
}
