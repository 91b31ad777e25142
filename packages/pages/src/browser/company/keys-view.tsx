import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { keyMessages as messages } from '../../messages/en/company-programs.js';
import { client } from '../client.js';
import { keyOf } from '../console/use-query.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { fillText } from '../ui/fill-text.js';
import { List, Row, Section } from '../ui/section.js';
import { RelativeTime } from '../ui/time.js';
import { useToast } from '../ui/toast.js';
import { useAct, useCompany, useCompanyQuery } from './company.js';
import { KeyDialog } from './key-dialog.js';
import { Listed, PAGE_SIZE, Pager } from './parts.js';
import { RenameKeyDialog } from './rename-key-dialog.js';
import { SecretDialog } from './secret-dialog.js';
import { companyFailureText } from './texts.js';

type ApiKey = Schemas['ApiKey'];
type Asked = { about: 'create' } | { about: 'rename' | 'rotate' | 'revoke'; key: ApiKey };

const HOUR = 3600;

/** The API keys of the company. The text of a key is shown once, when it is made. */
export function KeysView(): VNode {
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Asked>();
  const [made, setMade] = useState<Schemas['NewApiKey']>();
  const keys = useApiKeys(page);
  const close = (): void => setAsked(undefined);
  const show = (key: Schemas['NewApiKey']): void => {
    close();
    setMade(key);
    keys.reload();
  };
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        <Button rank="primary" onPress={() => setAsked({ about: 'create' })}>
          {messages.create}
        </Button>
      }
    >
      <Listed query={keys} empty={messages.none}>
        {(items) => (
          <List label={messages.title}>
            {items.map((key) => (
              <KeyRow key={key.id} apiKey={key} onAsk={setAsked} />
            ))}
          </List>
        )}
      </Listed>
      <Pager page={page} total={keys.total} onPage={setPage} />
      {asked && <Dialogs asked={asked} onClose={close} onMade={show} onDone={keys.reload} />}
      {made && (
        <SecretDialog
          title={messages.createdTitle(made.apiKey.name)}
          lead={messages.shownOnce}
          secret={made.key}
          texts={messages}
          onClose={() => setMade(undefined)}
        />
      )}
    </Section>
  );
}

/** Loads a page of the keys. */
function useApiKeys(page: number) {
  const { company } = useCompany();
  const query = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  return useCompanyQuery(keyOf(company.id, query), (signal) =>
    client.request('GET', '/internal/companies/{companyId}/api-keys', {
      path: { companyId: company.id },
      query,
      signal,
    }),
  );
}

function Dialogs({
  asked,
  onClose,
  onMade,
  onDone,
}: {
  asked: Asked;
  onClose: () => void;
  onMade: (key: Schemas['NewApiKey']) => void;
  onDone: () => void;
}): VNode {
  if (asked.about === 'create') return <KeyDialog onClose={onClose} onMade={onMade} />;
  if (asked.about === 'rename')
    return <RenameKeyDialog apiKey={asked.key} onClose={onClose} onDone={onDone} />;
  if (asked.about === 'rotate') return <RotateDialog apiKey={asked.key} onClose={onClose} onMade={onMade} />;
  return <RevokeDialog apiKey={asked.key} onClose={onClose} onDone={onDone} />;
}

function KeyRow({ apiKey, onAsk }: { apiKey: ApiKey; onAsk: (asked: Asked) => void }): VNode {
  const { name, hint, modules = [], permissions = [], expiresAt, lastUsedAt } = apiKey;
  return (
    <Row
      title={name}
      details={[
        messages.ends(hint),
        modules.length > 0 && messages.modulesAre(modules.join(', ')),
        permissions.length > 0 && messages.permissionsAre(permissions.join(', ')),
        expiresAt === undefined
          ? messages.neverExpires
          : fillText(messages.expires, { time: <RelativeTime at={expiresAt} /> }),
        lastUsedAt === undefined
          ? messages.neverUsed
          : fillText(messages.lastUsed, { time: <RelativeTime at={lastUsedAt} /> }),
      ]}
      actions={
        <>
          <Button label={messages.renameOf(name)} onPress={() => onAsk({ about: 'rename', key: apiKey })}>
            {messages.rename}
          </Button>
          <Button label={messages.rotateOf(name)} onPress={() => onAsk({ about: 'rotate', key: apiKey })}>
            {messages.rotate}
          </Button>
          <Button label={messages.revokeOf(name)} onPress={() => onAsk({ about: 'revoke', key: apiKey })}>
            {messages.revoke}
          </Button>
        </>
      }
    />
  );
}

function RotateDialog({
  apiKey: { id, name },
  onClose,
  onMade,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onMade: (key: Schemas['NewApiKey']) => void;
}): VNode {
  const { company } = useCompany();
  const act = useAct();
  const rotate = () =>
    act(
      () =>
        client.request('POST', '/internal/companies/{companyId}/api-keys/{id}/rotate', {
          path: { companyId: company.id, id },
          body: { overlap: HOUR },
        }),
      onMade,
    );
  return (
    <ConfirmDialog
      title={messages.rotateTitle(name)}
      action={messages.rotate}
      rank="primary"
      textOf={companyFailureText}
      onConfirm={rotate}
      onClose={onClose}
    >
      {messages.rotateText}
    </ConfirmDialog>
  );
}

function RevokeDialog({
  apiKey: { id, name },
  onClose,
  onDone,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onDone: () => void;
}): VNode {
  const { company } = useCompany();
  const announce = useToast();
  const act = useAct();
  const revoke = () =>
    act(
      () =>
        client.request('DELETE', '/internal/companies/{companyId}/api-keys/{id}', {
          path: { companyId: company.id, id },
        }),
      () => {
        announce(messages.revoked, 'spoken');
        onClose();
        onDone();
      },
    );
  return (
    <ConfirmDialog
      title={messages.revokeTitle(name)}
      action={messages.revoke}
      textOf={companyFailureText}
      onConfirm={revoke}
      onClose={onClose}
    >
      {messages.revokeText}
    </ConfirmDialog>
  );
}
