import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { Button } from '../ui/button.js';
import { fillText } from '../ui/fill-text.js';
import { List, Row } from '../ui/section.js';
import { RelativeTime } from '../ui/time.js';
import { RenameKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.js';
import type { ApiKey, KeyMethods } from './key-methods.js';
import { NewKeyDialog } from './new-key-dialog.js';

const SOON_MS = 7 * 86_400_000;

/** The dialog that is open. */
type Open = { kind: 'rename' | 'rotate' | 'revoke'; apiKey: ApiKey } | { kind: 'new'; text: string };

interface KeyListProps {
  keys: readonly ApiKey[];
  methods: KeyMethods;
  reload: () => Promise<void>;
  /** Returns where a key works and what it opens. */
  scopeOf: (apiKey: ApiKey) => readonly ComponentChildren[];
}

/** The API keys of one owner, each of which can be renamed, replaced and revoked. */
export function KeyList({ keys, methods, reload, scopeOf }: KeyListProps): VNode {
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const common = { methods, onDone: reload, onClose: close };
  return (
    <>
      <List label={messages.title}>
        {keys.map((apiKey) => (
          <KeyRow key={apiKey.id} apiKey={apiKey} scope={scopeOf(apiKey)} onOpen={setOpen} />
        ))}
      </List>
      {open?.kind === 'rename' && <RenameKeyDialog {...common} apiKey={open.apiKey} />}
      {open?.kind === 'revoke' && <RevokeKeyDialog {...common} apiKey={open.apiKey} />}
      {open?.kind === 'rotate' && (
        <RotateKeyDialog
          {...common}
          apiKey={open.apiKey}
          onRotated={(text) => setOpen({ kind: 'new', text })}
        />
      )}
      {open?.kind === 'new' && <NewKeyDialog text={open.text} onClose={close} />}
    </>
  );
}

const KeyRow = ({
  apiKey,
  scope,
  onOpen,
}: {
  apiKey: ApiKey;
  scope: readonly ComponentChildren[];
  onOpen: (open: Open) => void;
}): VNode => {
  const button = (kind: 'rename' | 'rotate' | 'revoke', label: string): VNode => (
    <Button label={label} onPress={() => onOpen({ kind, apiKey })}>
      {messages[kind]}
    </Button>
  );
  return (
    <Row
      title={apiKey.name}
      badge={expiresSoon(apiKey) ? messages.expiresSoon : undefined}
      details={[...scope, <Uses {...apiKey} />, <End {...apiKey} />, formerText(apiKey)]}
      actions={
        <>
          {button('rename', messages.renameOf(apiKey.name))}
          {button('rotate', messages.rotateOf(apiKey.name))}
          {button('revoke', messages.revokeOf(apiKey.name))}
        </>
      }
    />
  );
};

const expiresSoon = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) - Date.now() < SOON_MS;

const Uses = ({ createdAt, lastUsedAt, lastUsedIp }: ApiKey): VNode => (
  <>
    {fillText(messages.made, { time: <RelativeTime at={createdAt} /> })}
    {', '}
    {lastUsedAt === undefined
      ? messages.neverUsed
      : fillText(messages.lastUsed, { time: <RelativeTime at={lastUsedAt} /> })}
    {lastUsedIp !== undefined && ` ${messages.lastUsedFrom(lastUsedIp)}`}
  </>
);

const End = ({ hint, expiresAt }: ApiKey): VNode => (
  <>
    {messages.endsWith(hint)}
    {' · '}
    {expiresAt === undefined
      ? messages.expiresNever
      : fillText(messages.expires, { time: <RelativeTime at={expiresAt} /> })}
  </>
);

const formerText = ({ formerUntil }: ApiKey): VNode | undefined =>
  formerUntil === undefined ? undefined : (
    <strong>{fillText(messages.former, { time: <RelativeTime at={formerUntil} /> })}</strong>
  );
