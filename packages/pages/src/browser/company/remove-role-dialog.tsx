import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { roleMessages as messages } from '../../messages/en/company.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { useToast } from '../ui/toast.js';
import { useAct, useCompany } from './company.js';
import { Choice } from './parts.js';
import { RolePreview } from './role-preview.js';
import { companyFailureText, roleText } from './texts.js';
import type { DefinedRole } from './use-roles.js';

interface RemoveRoleDialogProps {
  role: DefinedRole;
  /** Keys of the roles that members may get in its place. */
  others: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

/** Removes a definition, after a preview. Members of a role without a template get another role. */
export function RemoveRoleDialog({ role, others, onClose, onDone }: RemoveRoleDialogProps): VNode {
  const { company } = useCompany();
  const path = { companyId: company.id, key: role.key };
  const announce = useToast();
  const act = useAct();
  const [moveTo, setMoveTo] = useState('');
  const { preview, failure } = usePreview(path, moveTo);
  const remove = () =>
    act(
      () =>
        client.request('DELETE', '/internal/companies/{companyId}/roles/{key}', {
          path,
          body: moveTo === '' ? {} : { moveTo },
        }),
      () => {
        announce(messages.removed, 'spoken');
        onDone();
      },
    );
  return (
    <ConfirmDialog
      title={messages.removeTitle(role.name)}
      action={messages.removeAction}
      textOf={companyFailureText}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{messages.removeText}</p>
      <Choice
        label={messages.moveTo}
        value={moveTo}
        options={[
          ['', messages.noMove],
          ...others.filter((key) => key !== role.key).map((key) => [key, roleText(key)] as const),
        ]}
        onChange={setMoveTo}
      />
      {failure && <p>{companyFailureText(failure)}</p>}
      {preview && <RolePreview preview={preview} />}
    </ConfirmDialog>
  );
}

/** Reads what a removal would change, again for each choice. */
function usePreview(path: { companyId: string; key: string }, moveTo: string) {
  const [read, setRead] = useState<{ preview?: Schemas['RolePreview']; failure?: Failure }>({});
  useEffect(() => {
    let isCurrent = true;
    const body = { remove: true, ...(moveTo !== '' && { moveTo }) } as const;
    void client
      .request('POST', '/internal/companies/{companyId}/roles/{key}/preview', { path, body })
      .then(({ data, error }) => {
        if (isCurrent) setRead(error ? { failure: error } : { preview: data });
      });
    return () => void (isCurrent = false);
  }, [moveTo]);
  return read;
}
