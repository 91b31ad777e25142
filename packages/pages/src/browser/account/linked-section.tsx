import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { linkedMessages as messages } from '../../messages/en/external.js';
import { client } from '../client.js';
import { beginFlow, flowAt, takeNote } from '../external-flow.js';
import type { Failure } from '../failure.js';
import { pageData, type Provider } from '../page-data.js';
import { isDismissed } from '../passkey.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { LoadState } from '../ui/load-state.js';
import { List, Row, Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { useLoaded } from '../ui/use-loaded.js';
import { accountFailureText, hasReason } from './failure-texts.js';
import { Times } from './passkeys-section.js';

type Identity = Schemas['ExternalIdentity'];

/** The accounts at other services by which the user signs in: linked and unlinked. */
export function LinkedSection(): VNode {
  const guarded = useGuarded();
  const announce = useToast();
  const loaded = useLoaded(() => client.external.identities());
  const [unlinking, setUnlinking] = useState<Identity>();
  useEffect(() => {
    const note = takeNote();
    if (note) announce(note.purpose === 'link' ? messages.linked(note.label) : messages.confirmed);
  }, []);
  const link = async (provider: Provider): Promise<void> => {
    const { error } = await guarded(() => beginFlow(flowAt(provider, 'link')));
    if (!isDismissed(error)) announce(linkedFailureText(error), 'danger');
  };
  const { data: identities, reload } = loaded;
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={pageData.providers.map((provider) => (
        <Button key={provider.id} onPress={() => link(provider)}>
          {messages.link(provider.label)}
        </Button>
      ))}
    >
      <LoadState loaded={loaded} />
      {identities?.length === 0 && <p class="empty">{messages.none}</p>}
      {identities && identities.length > 0 && (
        <List label={messages.title}>
          {identities.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} onUnlink={setUnlinking} />
          ))}
        </List>
      )}
      {unlinking && (
        <UnlinkDialog identity={unlinking} onDone={reload} onClose={() => setUnlinking(undefined)} />
      )}
    </Section>
  );
}

const labelOf = ({ label, connectionId }: Identity): string => label ?? connectionId;

function IdentityRow({
  identity,
  onUnlink,
}: {
  identity: Identity;
  onUnlink: (identity: Identity) => void;
}): VNode {
  const { email, createdAt, lastUsedAt } = identity;
  const label = labelOf(identity);
  // Two accounts at one service differ by their addresses.
  const name = email === null ? label : `${label}, ${email}`;
  return (
    <Row
      title={label}
      details={[
        email,
        <Times createdAt={createdAt} {...(lastUsedAt !== null && { lastUsedAt })} />,
        identity.label === null && messages.off,
      ]}
      actions={
        <Button label={messages.unlinkOf(name)} onPress={() => onUnlink(identity)}>
          {messages.unlink}
        </Button>
      }
    />
  );
}

function UnlinkDialog({
  identity,
  onDone,
  onClose,
}: {
  identity: Identity;
  onDone: () => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  const announce = useToast();
  const label = labelOf(identity);
  return (
    <ConfirmDialog
      title={messages.unlinkTitle(label)}
      action={messages.unlink}
      textOf={linkedFailureText}
      onConfirm={async () => {
        const { error } = await guarded(() => client.external.unlink(identity.id));
        if (error) return error;
        await onDone();
        onClose();
        announce(messages.unlinked(label), 'spoken');
        return undefined;
      }}
      onClose={onClose}
    >
      {messages.unlinkText(label)}
    </ConfirmDialog>
  );
}

function linkedFailureText(failure: Failure): string {
  if (hasReason(failure, 'last_sign_in_method')) return messages.lastWay;
  return hasReason(failure, 'identity_limit_reached') ? messages.limit : accountFailureText(failure);
}
