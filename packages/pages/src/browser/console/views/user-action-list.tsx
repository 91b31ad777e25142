import type { JSX } from 'preact';
import {
  actForMessages,
  approvalMessages as approvals,
  userActionMessages as messages,
  userMessages as labels,
} from '../../../messages/en/console/users.js';
import { appData } from '../../app-data.js';
import { pictureAt } from '../../picture.js';
import { actFor } from '../act-for.js';
import { approve, reject } from '../decisions.js';
import { Icon } from '../parts/icons.js';
import { Panel } from '../parts/layout.js';
import { Menu } from '../parts/menu.js';
import type { Action } from '../rights.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import {
  changeRole,
  deactivate,
  editProfile,
  eraseUser,
  reactivate,
  removePicture,
  sendReset,
  sendVerification,
  withdrawApproval,
} from '../user-actions.js';

interface ActionItem {
  label: string;
  needs: Action;
  isDanger?: boolean;
  /** True for one of the usual actions, which has a button of its own. */
  isUsual?: boolean;
  /** Whether it has an effect on the user as they are. */
  fits: (user: User) => boolean;
  run: (user: User) => Promise<boolean>;
}

const maySignIn = ({ approvalStatus, isActive }: User): boolean => approvalStatus === 'APPROVED' && isActive;

/** The actions on a user, the usual first. Those on sessions and sign-in methods are in their panels. */
const ITEMS: readonly ActionItem[] = [
  {
    label: approvals.approve,
    needs: 'approve',
    isUsual: true,
    fits: ({ approvalStatus }) => approvalStatus !== 'APPROVED',
    run: approve,
  },
  {
    label: approvals.reject,
    needs: 'approve',
    isUsual: true,
    isDanger: true,
    fits: ({ approvalStatus }) => approvalStatus === 'PENDING',
    run: reject,
  },
  { label: messages.edit, needs: 'edit', isUsual: true, fits: () => true, run: editProfile },
  { label: messages.sendReset, needs: 'send-mail', isUsual: true, fits: maySignIn, run: sendReset },
  {
    label: actForMessages.action,
    needs: 'act-for',
    fits: (user) => appData.actingMinutes > 0 && maySignIn(user),
    run: actFor,
  },
  { label: messages.role, needs: 'change-role', fits: () => true, run: changeRole },
  {
    label: messages.sendVerification,
    needs: 'send-mail',
    fits: ({ emailVerifiedAt }) => emailVerifiedAt === undefined,
    run: sendVerification,
  },
  {
    label: messages.removePicture,
    needs: 'edit',
    isDanger: true,
    fits: ({ profilePictureUrl }) => pictureAt(profilePictureUrl) !== undefined,
    run: removePicture,
  },
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
    // A user who has deleted the account can still undo that.
    fits: ({ isActive, deleteAt }) => isActive || deleteAt !== undefined,
    run: deactivate,
  },
  {
    label: messages.withdraw,
    needs: 'deactivate',
    isDanger: true,
    fits: ({ approvalStatus }) => approvalStatus === 'APPROVED',
    run: withdrawApproval,
  },
  { label: messages.erase, needs: 'erase', isDanger: true, fits: () => true, run: eraseUser },
];

/** The actions that the role of the signed-in user allows on this one. */
export function UserActions({ user, changed }: { user: User; changed: () => void }): JSX.Element | null {
  const { mayOn } = useRights();
  const shown =
    user.erasedAt === undefined ? ITEMS.filter(({ needs, fits }) => mayOn(needs, user) && fits(user)) : [];
  if (shown.length === 0) return null;
  const start = (run: ActionItem['run']): void => void run(user).then((isDone) => isDone && changed());
  const more = shown
    .filter(({ isUsual }) => !isUsual)
    .map(({ run, ...item }) => ({ ...item, run: () => start(run) }));
  return (
    <Panel title={labels.actions}>
      <ul class="action-list">
        {shown
          .filter(({ isUsual }) => isUsual)
          .map(({ label, isDanger, run }) => (
            <li key={label}>
              <button
                type="button"
                class={`button secondary ${isDanger ? 'warning' : ''}`}
                onClick={() => start(run)}
              >
                {label}
              </button>
            </li>
          ))}
        {more.length > 0 && (
          <li>
            <Menu class="button secondary" items={more}>
              {labels.more} <Icon name="more" />
            </Menu>
          </li>
        )}
      </ul>
    </Panel>
  );
}
