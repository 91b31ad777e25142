import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { trustedDeviceMessages as messages } from '../../messages/en/trusted-devices.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { fillText } from '../ui/fill-text.js';
import { LoadState } from '../ui/load-state.js';
import { List, Row, Section } from '../ui/section.js';
import { RelativeTime } from '../ui/time.js';
import { useToast } from '../ui/toast.js';
import { useLoaded } from '../ui/use-loaded.js';
import { accountFailureText } from './failure-texts.js';
import { Times } from './passkeys-section.js';

/** The browsers on which the user signs in without a second factor, each of which can be removed. */
export function TrustedDevicesSection(): VNode {
  const loaded = useLoaded(() => client.trustedDevices.list());
  const [isRemovingAll, setRemovingAll] = useState(false);
  const devices = loaded.data ?? [];
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        devices.length > 0 ? (
          <Button onPress={() => setRemovingAll(true)}>{messages.removeAll}</Button>
        ) : undefined
      }
    >
      <LoadState loaded={loaded} />
      {loaded.data && devices.length === 0 && <p class="empty">{messages.none}</p>}
      {devices.length > 0 && (
        <List label={messages.title}>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} onRemoved={loaded.reload} />
          ))}
        </List>
      )}
      {isRemovingAll && <RemoveAll onRemoved={loaded.reload} onClose={() => setRemovingAll(false)} />}
    </Section>
  );
}

function DeviceRow({
  device,
  onRemoved,
}: {
  device: Schemas['TrustedDevice'];
  onRemoved: () => Promise<void>;
}): VNode {
  const { id, createdAt, lastUsedAt, expiresAt, ipAddress } = device;
  const announce = useToast();
  const label = device.label ?? messages.unknownDevice;
  const remove = async (): Promise<void> => {
    const { error } = await client.trustedDevices.remove(id);
    if (error) announce(accountFailureText(error), 'danger');
    else announce(messages.removed, 'spoken');
    await onRemoved();
  };
  return (
    <Row
      title={label}
      details={[
        <Times createdAt={createdAt} {...(lastUsedAt !== null && { lastUsedAt })} />,
        <>
          {fillText(messages.until, { time: <RelativeTime at={expiresAt} /> })}
          {ipAddress !== null && ` · ${ipAddress}`}
        </>,
      ]}
      actions={
        <Button label={messages.removeOf(label)} onPress={remove}>
          {messages.remove}
        </Button>
      }
    />
  );
}

function RemoveAll({ onRemoved, onClose }: { onRemoved: () => Promise<void>; onClose: () => void }): VNode {
  const announce = useToast();
  return (
    <ConfirmDialog
      title={messages.removeAllTitle}
      action={messages.removeAll}
      textOf={accountFailureText}
      onConfirm={async () => {
        const { error } = await client.trustedDevices.removeAll();
        if (error) return error;
        await onRemoved();
        onClose();
        announce(messages.removedAll, 'spoken');
        return undefined;
      }}
      onClose={onClose}
    >
      {messages.removeAllText}
    </ConfirmDialog>
  );
}
