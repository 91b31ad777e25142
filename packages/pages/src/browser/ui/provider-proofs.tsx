import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { linkedMessages as messages } from '../../messages/en/external.js';
import { client } from '../client.js';
import { beginFlow, flowAt } from '../external-flow.js';
import { failureText } from '../failure-text.js';
import type { Failure } from '../failure.js';
import { pageData, type Provider } from '../page-data.js';
import { Button } from './button.js';
import { Notice } from './notice.js';

/** The services that ask for the password again. */
const ASKING = pageData.providers.filter(({ reauthenticates }) => reauthenticates);

/** Offers the services by which the user can prove their identity again. The page is left for that, and the dialog with it. */
export function ProviderProofs(): VNode | null {
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    if (ASKING.length > 0) void linkedProviders().then(setProviders);
  }, []);
  if (providers.length === 0) return null;
  return (
    <div class="other-ways">
      {failure && <Notice>{failureText(failure)}</Notice>}
      {providers.map((provider) => (
        <div key={provider.id}>
          <Button
            rank="link"
            onPress={async () => setFailure((await beginFlow(flowAt(provider, 'step-up'))).error)}
          >
            {messages.useProvider(provider.label)}
          </Button>
          <p class="hint">{messages.providerLead(provider.label)}</p>
        </div>
      ))}
    </div>
  );
}

/** The other ways remain if the accounts cannot be read. */
async function linkedProviders(): Promise<readonly Provider[]> {
  const { data = [] } = await client.external.identities();
  const linked = new Set(data.map(({ connectionId }) => connectionId));
  return ASKING.filter(({ id }) => linked.has(id));
}
