import type { VNode } from 'preact';
import { providerMessages as messages } from '../../messages/en/external.js';
import { beginFlow, flowAt } from '../external-flow.js';
import type { Failure } from '../failure.js';
import { pageData, type Provider } from '../page-data.js';
import { Button } from './button.js';

/** On a grid of 24. Other services have no picture. */
const PATHS: Partial<Record<Provider['type'], string>> = {
  google:
    'M12.5 10.9v3.3h7.8c-.2 1.8-.9 3.2-1.8 4.1-1.1 1.2-2.9 2.4-6 2.4-4.8 0-8.6-3.9-8.6-8.7s3.8-8.7 8.6-8.7c2.6 0 4.5 1 5.9 2.3L20.7 3.3C18.7 1.4 16.1 0 12.5 0 5.9 0 .3 5.4.3 12s5.6 12 12.2 12c3.6 0 6.3-1.2 8.4-3.4 2.1-2.1 2.8-5.2 2.8-7.6 0-.8-.1-1.5-.2-2.1z',
  microsoft: 'M1 1h10.5v10.5H1zM12.5 1H23v10.5H12.5zM1 12.5h10.5V23H1zM12.5 12.5H23V23H12.5z',
  github:
    'M12 .3a12 12 0 0 0-3.8 23.4c.6.1.8-.3.8-.6v-2c-3.3.7-4-1.6-4-1.6-.6-1.4-1.4-1.8-1.4-1.8-1-.7.1-.7.1-.7 1.2 0 1.9 1.2 1.9 1.2 1 1.8 2.8 1.3 3.5 1 0-.8.4-1.3.7-1.6-2.7-.3-5.5-1.3-5.5-6 0-1.2.5-2.3 1.3-3.1-.2-.4-.6-1.6 0-3.2 0 0 1-.3 3.4 1.2a11.5 11.5 0 0 1 6 0c2.3-1.5 3.3-1.2 3.3-1.2.7 1.6.2 2.8.1 3.2.8.8 1.3 1.9 1.3 3.2 0 4.6-2.8 5.6-5.5 5.9.5.4.9 1 .9 2.2v3.3c0 .3.1.7.8.6A12 12 0 0 0 12 .3',
};

/** One button for each service by which users sign in. Presses lead there; a service that cannot be asked is a failure. */
export const ProviderButtons = ({ onFailure }: { onFailure: (failure: Failure) => void }): VNode => (
  <div class="providers">
    {pageData.providers.map((provider) => (
      <Button
        key={provider.id}
        onPress={async () => onFailure((await beginFlow(flowAt(provider, 'sign-in'))).error)}
      >
        <ProviderIcon type={provider.type} />
        {messages.continueWith(provider.label)}
      </Button>
    ))}
  </div>
);

function ProviderIcon({ type }: Pick<Provider, 'type'>): VNode | null {
  const path = PATHS[type];
  return path === undefined ? null : (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
