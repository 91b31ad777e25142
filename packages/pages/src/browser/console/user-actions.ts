import type { RequestInput } from '@latchkey/client';
import { nameMessages as names } from '../../messages/en/console/names.js';
import { userActionMessages as messages, userMessages as fields } from '../../messages/en/console/users.js';
import { client } from '../client.js';
import { nameOf, numberText } from './format.js';
import type { Answers, DialogField } from './overlay-store.js';
import { confirmed } from './perform.js';
import type { Role, User } from './types.js';

const MOST_REASON = 500;

type Patch = NonNullable<RequestInput<'PATCH', '/internal/users/{id}'>['body']>;

/** Every function here asks first and returns whether the action was taken. */
type UserAction = (user: User) => Promise<boolean>;

const patch = ({ id }: User, body: Patch) =>
  client.request('PATCH', '/internal/users/{id}', { path: { id }, body });

/** The field for a reason that may be left out. */
export const REASON: DialogField = {
  name: 'reason',
  label: messages.optionalReason,
  hint: messages.eraseReasonHint,
  isOptional: true,
  maxLength: MOST_REASON,
};

/** Returns the reason of the answers, if there is one. */
export const statedIn = ({ reason = '' }: Answers): { reason?: string } => (reason === '' ? {} : { reason });

/** The languages, each by its own name. */
const LANGUAGES: readonly { value: string; label: string }[] = [
  { value: '', label: messages.anyLanguage },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
];

export const languageOf = ({ locale }: User): string =>
  LANGUAGES.find(({ value }) => value === (locale ?? ''))?.label ?? messages.anyLanguage;

export const editProfile: UserAction = (user) =>
  confirmed(
    {
      title: messages.editTitle,
      text: user.email,
      confirm: messages.save,
      fields: [
        { name: 'fullName', label: fields.fullName, value: user.fullName ?? '', maxLength: 200 },
        {
          name: 'phonePrefix',
          label: messages.phonePrefix,
          value: user.phonePrefix ?? '',
          type: 'tel',
          isOptional: true,
        },
        {
          name: 'phoneNumber',
          label: messages.phoneNumber,
          value: user.phoneNumber ?? '',
          type: 'tel',
          isOptional: true,
        },
        { name: 'locale', label: fields.language, value: user.locale ?? '', options: LANGUAGES },
      ],
    },
    // An empty value clears its field.
    ({ fullName = '', phonePrefix = '', phoneNumber = '', locale = '' }) =>
      patch(user, { fullName, phonePrefix, phoneNumber, locale: locale as NonNullable<Patch['locale']> }),
    messages.saved,
  );

const makesSuperadmin = ({ globalRole }: User, answers: Answers): boolean =>
  answers.globalRole === 'PLATFORM_SUPERADMIN' && globalRole !== 'PLATFORM_SUPERADMIN';

export const changeRole: UserAction = (user) =>
  confirmed(
    {
      title: messages.roleTitle(nameOf(user)),
      text: messages.roleText(names.role[user.globalRole]),
      confirm: messages.role,
      isReady: ({ globalRole }) => globalRole !== user.globalRole,
      warning: (answers) => (makesSuperadmin(user, answers) ? messages.superadminWarning : undefined),
      fields: [
        {
          name: 'globalRole',
          label: messages.newRole,
          value: user.globalRole,
          options: Object.entries(names.role).map(([value, label]) => ({ value, label })),
        },
        {
          name: 'email',
          label: messages.typeEmail(user.email),
          mustBe: user.email,
          isShown: (answers) => makesSuperadmin(user, answers),
        },
        REASON,
      ],
    },
    (answers) => patch(user, { globalRole: answers.globalRole as Role, ...statedIn(answers) }),
    messages.roleChanged,
  );

export const withdrawApproval: UserAction = (user) =>
  confirmed(
    {
      title: messages.withdrawTitle(nameOf(user)),
      text: messages.withdrawText,
      confirm: messages.withdraw,
      isDanger: true,
      fields: [REASON],
    },
    (answers) => patch(user, { approvalStatus: 'REJECTED', ...statedIn(answers) }),
    messages.withdrawn,
  );

export const deactivate: UserAction = (user) =>
  confirmed(
    {
      title: messages.deactivateTitle(nameOf(user)),
      text: messages.deactivateText,
      confirm: messages.deactivate,
      isDanger: true,
      fields: [REASON],
    },
    (answers) => patch(user, { isActive: false, ...statedIn(answers) }),
    messages.deactivated,
  );

export const reactivate: UserAction = (user) =>
  confirmed(
    {
      title: messages.reactivateTitle(nameOf(user)),
      text: messages.reactivateText,
      confirm: messages.reactivate,
    },
    () => patch(user, { isActive: true }),
    messages.reactivated,
  );

export const endAllSessions: UserAction = (user) =>
  confirmed(
    {
      title: messages.endAllTitle(nameOf(user)),
      text: messages.endAllText,
      confirm: messages.endAll,
      isDanger: true,
    },
    () => client.request('POST', '/internal/users/{id}/revoke-all', { path: { id: user.id } }),
    ({ revoked }) => messages.endedAll(numberText(revoked)),
  );

export const removePasskey = (userId: string, passkey: { id: string; name: string }): Promise<boolean> =>
  confirmed(
    {
      title: messages.removePasskeyTitle(passkey.name),
      text: messages.removePasskeyText,
      confirm: messages.removePasskey,
      isDanger: true,
    },
    () =>
      client.request('DELETE', '/internal/users/{id}/passkeys/{passkeyId}', {
        path: { id: userId, passkeyId: passkey.id },
      }),
    messages.removedPasskey,
  );

export const resetFactors: UserAction = (user) =>
  confirmed(
    {
      title: messages.resetFactorsTitle(nameOf(user)),
      text: messages.resetFactorsText,
      confirm: messages.resetFactors,
      isDanger: true,
      fields: [{ name: 'reason', label: messages.reason, hint: messages.reasonHint, maxLength: MOST_REASON }],
    },
    ({ reason = '' }) =>
      client.request('DELETE', '/internal/users/{id}/factors', { path: { id: user.id }, body: { reason } }),
    messages.resetFactorsDone,
  );

export const removeTrustedDevices: UserAction = (user) =>
  confirmed(
    {
      title: messages.removeTrustedTitle(nameOf(user)),
      text: messages.removeTrustedText,
      confirm: messages.removeTrusted,
      isDanger: true,
    },
    () => client.request('DELETE', '/internal/users/{id}/trusted-devices', { path: { id: user.id } }),
    messages.removedTrusted,
  );

export const removePicture: UserAction = (user) =>
  confirmed(
    {
      title: messages.removePictureTitle(nameOf(user)),
      text: messages.removePictureText,
      confirm: messages.removePicture,
      isDanger: true,
      fields: [REASON],
    },
    (answers) =>
      client.request('DELETE', '/internal/users/{id}/picture', {
        path: { id: user.id },
        body: statedIn(answers),
      }),
    messages.removedPicture,
  );

export const sendReset: UserAction = (user) =>
  confirmed(
    {
      title: messages.sendResetTitle(nameOf(user)),
      text: messages.sendResetText(user.email),
      confirm: messages.sendReset,
    },
    () => client.request('POST', '/internal/users/{id}/password-reset', { path: { id: user.id } }),
    messages.sentReset,
  );

export const sendVerification: UserAction = (user) =>
  confirmed(
    {
      title: messages.sendVerificationTitle(nameOf(user)),
      text: messages.sendVerificationText(user.email),
      confirm: messages.sendVerification,
    },
    () => client.request('POST', '/internal/users/{id}/email-verification', { path: { id: user.id } }),
    messages.sentReset,
  );

export const eraseUser: UserAction = (user) =>
  confirmed(
    {
      title: messages.eraseTitle(nameOf(user)),
      text: messages.eraseText,
      confirm: messages.erase,
      isDanger: true,
      fields: [
        { name: 'reason', label: messages.reason, hint: messages.eraseReasonHint, maxLength: MOST_REASON },
        { name: 'email', label: messages.typeEmail(user.email), mustBe: user.email },
      ],
    },
    ({ reason = '' }) =>
      client.request('DELETE', '/internal/users/{id}/personal-data', {
        path: { id: user.id },
        body: { reason },
      }),
    messages.erased,
  );
