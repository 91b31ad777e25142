import type { ComponentChildren, JSX } from 'preact';
import { apiKeyMessages as messages } from '../../../messages/en/api-keys.js';
import { consoleKeyMessages as texts } from '../../../messages/en/console/webhooks.js';
import { agoText } from '../format.js';
import type { ApiKey } from '../types.js';
import { CompanyName } from './company-name.js';
import { Icon } from './icons.js';

/** The API keys of a user or company. */
export const ApiKeyLines = ({
  keys,
  actions,
}: {
  keys: readonly ApiKey[];
  /** Renders what can be done with a key. */
  actions: (key: ApiKey) => ComponentChildren;
}): JSX.Element =>
  keys.length === 0 ? (
    <p class="quiet box-text">{texts.none}</p>
  ) : (
    <ul class="lines">
      {keys.map((key) => (
        <li key={key.id}>
          <Icon name="key" />
          <span class="line-text">
            <span>{key.name}</span>
            <span class="quiet">{factsOf(key)}</span>
            <span class="quiet">
              <Scope {...key} />
            </span>
          </span>
          <span class="row-buttons">{actions(key)}</span>
        </li>
      ))}
    </ul>
  );

const factsOf = ({ hint, lastUsedAt, expiresAt }: ApiKey): string =>
  [
    messages.endsWith(hint),
    lastUsedAt === undefined ? messages.neverUsed : texts.used(agoText(lastUsedAt)),
    expiresAt === undefined ? texts.neverExpires : texts.expires(agoText(expiresAt)),
  ].join(' · ');

const listed = (values: readonly string[] | undefined): string => {
  if (values === undefined) return messages.all;
  return values.length === 0 ? messages.nothing : values.join(', ');
};

/** The company of a personal key, and the rights of each. */
const Scope = ({ kind, companyId, modules, permissions }: ApiKey): JSX.Element => {
  if (companyId === undefined) return <>{messages.inNoCompany}</>;
  const rights = messages.rightsOf(listed(modules), listed(permissions));
  return kind === 'COMPANY' ? (
    <>{rights}</>
  ) : (
    <>
      <CompanyName id={companyId} /> · {rights}
    </>
  );
};

interface KeyButtonProps {
  label: string;
  children: string;
  /** Asks first. @returns whether the action was taken. */
  action: () => Promise<boolean>;
  changed: () => void;
}

export const KeyButton = ({ label, children, action, changed }: KeyButtonProps): JSX.Element => (
  <button
    type="button"
    class="button secondary small"
    aria-label={label}
    onClick={() => void action().then((isDone) => isDone && changed())}
  >
    {children}
  </button>
);
