import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { securityMessages as messages } from '../../messages/en/account.js';
import { client } from '../client.js';
import { isDismissed } from '../passkey.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { LoadState } from '../ui/load-state.js';
import { RecoveryCodes } from '../ui/recovery-codes.js';
import { List, Row, Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { useToast } from '../ui/toast.js';
import { useLoaded, type Loaded } from '../ui/use-loaded.js';
import { EnrolDialog } from './enrol-dialog.js';
import { accountFailureText } from './failure-texts.js';
import { useAccount } from './me.js';
import { Times } from './passkeys-section.js';

/** The dialog that is open. */
type Open =
  | { kind: 'enrol'; enrolment: Schemas['TotpEnrolment'] }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'remove'; factor: Schemas['Factor'] }
  | { kind: 'renew' };

/** Authenticator apps and recovery codes. */
export function FactorsSection(): VNode {
  const guarded = useGuarded();
  const announce = useToast();
  const loaded = useLoaded(() => client.factors.list());
  const [open, setOpen] = useState<Open>();
  const begin = async (): Promise<void> => {
    const { data, error } = await guarded(() => client.factors.begin());
    if (!error) setOpen({ kind: 'enrol', enrolment: data });
    else if (!isDismissed(error)) announce(accountFailureText(error), 'danger');
  };
  return (
    <Section
      title={messages.factorsTitle}
      lead={messages.factorsLead}
      actions={<Button onPress={begin}>{messages.addApp}</Button>}
    >
      <LoadState loaded={loaded} />
      {loaded.data && <FactorList own={loaded.data} onOpen={setOpen} />}
      {open && <FactorDialog open={open} loaded={loaded} onOpen={setOpen} />}
    </Section>
  );
}

function FactorList({ own, onOpen }: { own: Schemas['OwnFactors']; onOpen: (open: Open) => void }): VNode {
  const { factors, recoveryCodesLeft, isRequired } = own;
  if (factors.length === 0) {
    return (
      <p class="empty">
        {messages.noApps} {isRequired && <span class="badge warning">{messages.required}</span>}
      </p>
    );
  }
  return (
    <List label={messages.factorsTitle}>
      {factors.map((factor) => (
        <Row
          key={factor.id}
          title={factor.name}
          badge={messages.on}
          details={[<Times {...factor} />]}
          actions={
            <Button label={messages.removeOf(factor.name)} onPress={() => onOpen({ kind: 'remove', factor })}>
              {messages.remove}
            </Button>
          }
        />
      ))}
      <Row
        title={messages.recoveryTitle}
        details={[messages.recoveryLeft(recoveryCodesLeft), messages.recoveryLead]}
        actions={<Button onPress={() => onOpen({ kind: 'renew' })}>{messages.renewCodes}</Button>}
      />
    </List>
  );
}

function FactorDialog({
  open,
  loaded,
  onOpen,
}: {
  open: Open;
  loaded: Loaded<Schemas['OwnFactors']>;
  onOpen: (open: Open | undefined) => void;
}): VNode {
  const announce = useToast();
  const close = (): void => onOpen(undefined);
  const finish = async (codes: readonly string[] | undefined, text: string): Promise<void> => {
    await loaded.reload();
    onOpen(codes && { kind: 'codes', codes });
    announce(text, 'spoken');
  };
  switch (open.kind) {
    case 'enrol':
      return (
        <EnrolDialog
          enrolment={open.enrolment}
          onDone={(codes) => finish(codes, messages.appAdded)}
          onClose={close}
        />
      );
    case 'codes':
      return <RecoveryCodesDialog codes={open.codes} onClose={close} />;
    case 'remove':
      return (
        <RemoveFactor
          factor={open.factor}
          isLast={loaded.data?.factors.length === 1}
          onDone={() => finish(undefined, messages.appRemoved)}
          onClose={close}
        />
      );
    case 'renew':
      return <RenewCodes onDone={(codes) => finish(codes, messages.codesTitle)} onClose={close} />;
  }
}

/** Shows new recovery codes once. It closes by its button alone: a stray key must not lose them. */
const RecoveryCodesDialog = ({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}): VNode => (
  <Dialog title={messages.codesTitle}>
    <p class="dialog-text">{messages.codesLead}</p>
    <RecoveryCodes codes={codes} email={useAccount().me.email} />
    <Actions>
      <Button rank="primary" onPress={onClose}>
        {messages.codesSaved}
      </Button>
    </Actions>
  </Dialog>
);

/** Asks before an authenticator app is removed. */
function RemoveFactor({
  factor,
  isLast,
  onDone,
  onClose,
}: {
  factor: Schemas['Factor'];
  isLast: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  return (
    <ConfirmDialog
      title={messages.removeAppTitle(factor.name)}
      action={messages.remove}
      textOf={accountFailureText}
      onConfirm={async () => {
        const { error } = await guarded(() => client.factors.remove(factor.id));
        if (!error) await onDone();
        return error;
      }}
      onClose={onClose}
    >
      {isLast ? messages.removeLastApp : messages.removeApp}
    </ConfirmDialog>
  );
}

/** Asks before recovery codes are replaced. */
function RenewCodes({
  onDone,
  onClose,
}: {
  onDone: (codes: readonly string[]) => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  return (
    <ConfirmDialog
      title={messages.renewTitle}
      action={messages.renewCodes}
      rank="primary"
      textOf={accountFailureText}
      onConfirm={async () => {
        const { data, error } = await guarded(() => client.factors.renewRecoveryCodes());
        if (!error) await onDone(data.recoveryCodes);
        return error;
      }}
      onClose={onClose}
    >
      {messages.renewText}
    </ConfirmDialog>
  );
}
