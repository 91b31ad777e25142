import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { KeyList } from '../api-keys/key-list.js';
import type { ApiKey } from '../api-keys/key-methods.js';
import { NewKeyDialog } from '../api-keys/new-key-dialog.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { LoadState } from '../ui/load-state.js';
import { Section } from '../ui/section.js';
import { useToast } from '../ui/toast.js';
import { useLoaded } from '../ui/use-loaded.js';
import { CreateKeyDialog } from './create-key-dialog.js';

/** The dialog that is open. */
type Open = { kind: 'create' | 'revoke-all' } | { kind: 'new'; text: string };

/** The user's own API keys: made, renamed, replaced and revoked. */
export function KeysView(): VNode {
  const loaded = useLoaded(() => client.apiKeys.list());
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const { data: keys, reload } = loaded;
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        <>
          <Button onPress={() => setOpen({ kind: 'create' })}>{messages.create}</Button>
          {keys && keys.length > 0 && (
            <Button onPress={() => setOpen({ kind: 'revoke-all' })}>{messages.revokeAll}</Button>
          )}
        </>
      }
    >
      <LoadState loaded={loaded} />
      {keys?.length === 0 && <p class="empty">{messages.none}</p>}
      {keys && keys.length > 0 && (
        <KeyList keys={keys} methods={client.apiKeys} reload={reload} scopeOf={scopeOf} />
      )}
      {open?.kind === 'create' && (
        <CreateKeyDialog
          onCreated={async (text) => {
            setOpen({ kind: 'new', text });
            await reload();
          }}
          onClose={close}
        />
      )}
      {open?.kind === 'new' && <NewKeyDialog text={open.text} onClose={close} />}
      {open?.kind === 'revoke-all' && <RevokeAll onDone={reload} onClose={close} />}
    </Section>
  );
}

const listed = (values: readonly string[] | undefined): string => {
  if (values === undefined) return messages.all;
  return values.length === 0 ? messages.nothing : values.join(', ');
};

/** Returns the company of a key and its rights there. */
const scopeOf = ({ companyId, modules, permissions }: ApiKey): string[] =>
  companyId === undefined
    ? [messages.inNoCompany]
    : [messages.inCompany(companyId), messages.rightsOf(listed(modules), listed(permissions))];

function RevokeAll({ onDone, onClose }: { onDone: () => Promise<void>; onClose: () => void }): VNode {
  const announce = useToast();
  return (
    <ConfirmDialog
      title={messages.revokeAllTitle}
      action={messages.revokeAll}
      onConfirm={async () => {
        const { data, error } = await client.apiKeys.revokeAll();
        if (error) return error;
        await onDone();
        onClose();
        announce(messages.allRevoked(data.revoked));
        return undefined;
      }}
      onClose={onClose}
    >
      {messages.revokeAllText}
    </ConfirmDialog>
  );
}
