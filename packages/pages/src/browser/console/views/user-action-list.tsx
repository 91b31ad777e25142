import type { JSX } from 'preact';
import {
  approvalMessages as approvals,
  userActionMessages as messages,
  userMessages as labels,
} from '../../../messages/en/console/users.js';
import { approve, reject } from '../decisions.js';
import { Panel } from '../parts/layout.js';
import type { Action } from '../rights.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import {
  changeRole,
  deactivate,
  editProfile,
  endAllSessions,
  eraseUser,
  reactivate,
  resetFactors,
  sendReset,
  sendVerification,
  withdrawApproval,
} from '../user-actions.js';

interface ActionItem {
  label: string;
  needs: Action;
  isDanger?: boolean;
  /** Whether it makes sense for the user as they are. */
  fits: (user: User) => boolean;
  run: (user: User) => Promise<boolean>;
}

const maySignIn = ({ approvalStatus, isActive }: User): boolean => approvalStatus === 'APPROVED' && isActive;

/** What can be done with a user, the usual first. */
const ITEMS: readonly ActionItem[] = [
  {
    label: approvals.approve,
    needs: 'approve',
    fits: ({ approvalStatus }) => approvalStatus !== 'APPROVED',
    run: approve,
  },
  {
    label: approvals.reject,
    needs: 'approve',
    isDanger: true,
    fits: ({ approvalStatus }) => approvalStatus === 'PENDING',
    run: reject,
  },
  { label: messages.edit, needs: 'edit', fits: () => true, run: editProfile },
  { label: messages.role, needs: 'change-role', fits: () => true, run: changeRole },
  { label: messages.sendReset, needs: 'send-mail', fits: maySignIn, run: sendReset },
  {
    label: messages.sendVerification,
    needs: 'send-mail',
    fits: ({ emailVerifiedAt }) => emailVerifiedAt === undefined,
    run: sendVerification,
  },
  { label: messages.endAll, needs: 'revoke-sessions', fits: maySignIn, run: endAllSessions },
  {
    label: messages.reactivate,
    needs: 'deactivate',
    fits: ({ isActive, approvalStatus }) => !isActive && approvalStatus === 'APPROVED',
    run: reactivate,
  },
  {
    label: messages.deactivate,
    needs: 'deactivate',
    isDanger: true,
    fits: ({ isActive }) => isActive,
    run: deactivate,
  },
  {
    label: messages.withdraw,
    needs: 'deactivate',
    isDanger: true,
    fits: ({ approvalStatus }) => approvalStatus === 'APPROVED',
    run: withdrawApproval,
  },
  {
    label: messages.resetFactors,
    needs: 'reset-factors',
    isDanger: true,
    fits: () => true,
    run: resetFactors,
  },
  { label: messages.erase, needs: 'erase', isDanger: true, fits: () => true, run: eraseUser },
];

interface UserActionsProps {
  user: User;
  changed: () => void;
}

/** The actions that the role of the signed-in user allows on this one. */
export function UserActions({ user, changed }: UserActionsProps): JSX.Element | null {
  const { mayOn } = useRights();
  const shown =
    user.erasedAt === undefined ? ITEMS.filter(({ needs, fits }) => mayOn(needs, user) && fits(user)) : [];
  if (shown.length === 0) return null;
  const button = ({ label, isDanger, run }: ActionItem): JSX.Element => (
    <li key={label}>
      <button
        type="button"
        class={`button secondary ${isDanger ? 'warning' : ''}`}
        onClick={() => void run(user).then((isDone) => isDone && changed())}
      >
        {label}
      </button>
    </li>
  );
  return (
    <Panel title={labels.actions}>
      <ul class="action-list">{shown.filter(({ isDanger }) => !isDanger).map(button)}</ul>
      {shown.some(({ isDanger }) => isDanger) && (
        <>
          <h3 class="danger-title">{labels.danger}</h3>
          <ul class="action-list">{shown.filter(({ isDanger }) => isDanger).map(button)}</ul>
        </>
      )}
    </Panel>
  );
}
