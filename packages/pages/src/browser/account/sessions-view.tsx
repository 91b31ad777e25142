import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { sessionMessages as messages } from '../../messages/en/account.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { fillText } from '../ui/fill-text.js';
import { LoadState } from '../ui/load-state.js';
import { Place } from '../ui/place.js';
import { List, Row, Section } from '../ui/section.js';
import { RelativeTime } from '../ui/time.js';
import { useToast } from '../ui/toast.js';
import { useLoaded } from '../ui/use-loaded.js';
import { DeviceIcon } from './device-icon.js';
import { accountFailureText } from './failure-texts.js';

/** A session in which an actor may act for the user. */
type Session = Schemas['OwnSession'] & {
  actor?: { name: string | null; reason: string | null };
};

/** More than anybody has. */
const MOST_SESSIONS = 200;

const list = () => client.request('GET', '/auth/sessions', { query: { limit: MOST_SESSIONS } });

/** The sessions, this one first, each of which can be ended. */
export function SessionsView(): VNode {
  const loaded = useLoaded(list);
  const [isEndingOthers, setEndingOthers] = useState(false);
  const sessions: Session[] = [...(loaded.data ?? [])].sort(
    (one, other) => Number(other.current) - Number(one.current),
  );
  const hasOthers = sessions.some(({ current }) => !current);
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        hasOthers ? (
          <Button onPress={() => setEndingOthers(true)}>{messages.endOthers}</Button>
        ) : (
          loaded.data && <p class="hint">{messages.onlyThis}</p>
        )
      }
    >
      <LoadState loaded={loaded} />
      {sessions.length > 0 && (
        <List label={messages.title}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnded={loaded.reload} />
          ))}
        </List>
      )}
      {isEndingOthers && <EndOthers onEnded={loaded.reload} onClose={() => setEndingOthers(false)} />}
    </Section>
  );
}

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => Promise<void> }): VNode {
  const { id, current, actor, origin, createdAt, lastUsedAt } = session;
  const announce = useToast();
  const device = session.deviceName ?? messages.unknownDevice;
  const end = async (): Promise<void> => {
    const { error } = await client.sessions.revoke(id);
    if (error) announce(accountFailureText(error), 'danger');
    else announce(messages.ended, 'spoken');
    await onEnded();
  };
  return (
    <Row
      title={
        <span class="with-icon">
          <DeviceIcon userAgent={session.userAgent} />
          {device}
        </span>
      }
      badge={current ? messages.thisDevice : undefined}
      details={[
        actor && <strong>{messages.actedBy(actor.name ?? messages.unknownActor)}</strong>,
        actor?.reason && messages.actedReason(actor.reason),
        <>
          {fillText(messages.lastActive, { time: <RelativeTime at={lastUsedAt} /> })}
          <Address session={session} />
        </>,
        <>
          {fillText(messages.signedIn, { time: <RelativeTime at={createdAt} /> })} {messages.origins[origin]}
          {hasSecondFactor(session) && ` ${messages.andSecondFactor}`}
        </>,
      ]}
      actions={
        !current && (
          <Button label={messages.endOf(device)} onPress={end}>
            {messages.end}
          </Button>
        )
      }
    />
  );
}

function Address({ session: { ipAddress, place } }: { session: Session }): VNode {
  return (
    <>
      {ipAddress !== null && ` · ${ipAddress}`}
      {place && ' · '}
      {place && <Place place={place} />}
    </>
  );
}

/** A passkey is a sign-in of its own, and two factors in one. */
const hasSecondFactor = ({ amr, origin }: Session): boolean => amr.includes('mfa') && origin !== 'passkey';

function EndOthers({ onEnded, onClose }: { onEnded: () => Promise<void>; onClose: () => void }): VNode {
  const announce = useToast();
  return (
    <ConfirmDialog
      title={messages.endOthersTitle}
      action={messages.endOthers}
      onConfirm={async () => {
        const { data, error } = await client.sessions.revokeOthers();
        if (error) return error;
        await onEnded();
        onClose();
        announce(messages.othersEnded(data.revoked), 'spoken');
        return undefined;
      }}
      onClose={onClose}
    >
      {messages.endOthersText}
    </ConfirmDialog>
  );
}
