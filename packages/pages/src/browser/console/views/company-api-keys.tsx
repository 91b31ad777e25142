import type { JSX } from 'preact';
import { apiKeyMessages as messages } from '../../../messages/en/api-keys.js';
import { consoleKeyMessages as texts } from '../../../messages/en/console/webhooks.js';
import { client } from '../../client.js';
import {
  createCompanyKey,
  renameCompanyKey,
  revokeCompanyKey,
  rotateCompanyKey,
} from '../api-key-actions.js';
import { ApiKeyLines, KeyButton } from '../parts/api-key-lines.js';
import { Panel } from '../parts/layout.js';
import { Loaded } from '../parts/states.js';
import { keyOf, useQuery } from '../use-query.js';

const MOST = 100;

/** The API keys of a company, for roles that may invite to it. */
export function CompanyApiKeys({ companyId }: { companyId: string }): JSX.Element {
  const keys = useQuery(keyOf(companyId), (signal) =>
    client.request('GET', '/internal/companies/{companyId}/api-keys', {
      path: { companyId },
      query: { limit: MOST },
      signal,
    }),
  );
  const button = (label: string, text: string, action: () => Promise<boolean>): JSX.Element => (
    <KeyButton label={label} action={action} changed={keys.reload}>
      {text}
    </KeyButton>
  );
  return (
    <Panel
      title={texts.title}
      class="company-keys"
      aside={button(messages.create, messages.create, () => createCompanyKey(companyId))}
    >
      <Loaded query={keys} rows={1}>
        {(items) => (
          <ApiKeyLines
            keys={items}
            actions={(key) => (
              <>
                {button(messages.renameOf(key.name), messages.rename, () => renameCompanyKey(companyId, key))}
                {button(messages.rotateOf(key.name), messages.rotate, () => rotateCompanyKey(companyId, key))}
                {button(messages.revokeOf(key.name), messages.revoke, () => revokeCompanyKey(companyId, key))}
              </>
            )}
          />
        )}
      </Loaded>
    </Panel>
  );
}
