import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { consoleKeyMessages as texts } from '../../messages/en/console/webhooks.js';
import { DEFAULT_LIFETIME, lifetimeOf, lifetimeOptions } from '../api-keys/lifetimes.js';
import { client } from '../client.js';
import type { DialogField, ShownSecret } from './overlay-store.js';
import { valuesIn } from './parts/question-dialog.js';
import { confirmed, confirmedSecret } from './perform.js';
import type { ApiKey } from './types.js';

const COMPANY_KEYS = '/internal/companies/{companyId}/api-keys';

const NAME: DialogField = {
  name: 'name',
  label: messages.name,
  hint: messages.nameHint,
  maxLength: 100,
};
const listField = (name: 'modules' | 'permissions'): DialogField => ({
  name,
  label: messages[name],
  hint: texts.separated,
  isOptional: true,
});

const shownKey = ({ key }: { key: string }): ShownSecret => ({
  title: messages.shownTitle,
  lead: messages.shownLead,
  secret: key,
  copyLabel: messages.copy,
  doneLabel: messages.stored,
});

/** Every function here asks first and returns whether the action was taken. */
export const createCompanyKey = (companyId: string): Promise<boolean> =>
  confirmedSecret(
    {
      title: messages.createTitle,
      text: texts.createText,
      confirm: messages.createAction,
      fields: [
        NAME,
        listField('modules'),
        listField('permissions'),
        {
          name: 'expiresIn',
          label: messages.lifetime,
          value: DEFAULT_LIFETIME,
          options: lifetimeOptions().map(([value, label]) => ({ value, label })),
        },
      ],
    },
    ({ name = '', modules, permissions, expiresIn = '' }) =>
      client.request('POST', COMPANY_KEYS, {
        path: { companyId },
        body: {
          name,
          modules: valuesIn(modules),
          permissions: valuesIn(permissions),
          expiresIn: lifetimeOf(expiresIn),
        },
      }),
    shownKey,
    messages.created,
  );

export const renameCompanyKey = (companyId: string, { id, name }: ApiKey): Promise<boolean> =>
  confirmed(
    { title: messages.renameTitle, text: name, confirm: messages.save, fields: [{ ...NAME, value: name }] },
    (answers) =>
      client.request('PATCH', `${COMPANY_KEYS}/{id}`, {
        path: { companyId, id },
        body: { name: answers.name ?? '' },
      }),
    messages.renamed,
  );

export const rotateCompanyKey = (companyId: string, { id, name }: ApiKey): Promise<boolean> =>
  confirmedSecret(
    {
      title: messages.rotateTitle(name),
      text: messages.rotateLead,
      confirm: messages.rotateAction,
      fields: [
        {
          name: 'overlap',
          label: messages.overlap,
          value: '0',
          options: [
            { value: '0', label: messages.overlaps.none },
            { value: '3600', label: messages.overlaps.hour },
            { value: '86400', label: messages.overlaps.day },
          ],
        },
      ],
    },
    ({ overlap }) =>
      client.request('POST', `${COMPANY_KEYS}/{id}/rotate`, {
        path: { companyId, id },
        body: { overlap: Number(overlap) },
      }),
    shownKey,
    messages.rotated,
  );

const revoke = ({ name }: ApiKey, request: Parameters<typeof confirmed>[1]): Promise<boolean> =>
  confirmed(
    {
      title: messages.revokeTitle(name),
      text: messages.revokeText,
      confirm: messages.revoke,
      isDanger: true,
    },
    request,
    messages.revoked,
  );

export const revokeCompanyKey = (companyId: string, key: ApiKey): Promise<boolean> =>
  revoke(key, () => client.request('DELETE', `${COMPANY_KEYS}/{id}`, { path: { companyId, id: key.id } }));

export const revokeUserKey = (userId: string, key: ApiKey): Promise<boolean> =>
  revoke(key, () =>
    client.request('DELETE', '/internal/users/{id}/api-keys/{keyId}', {
      path: { id: userId, keyId: key.id },
    }),
  );
