import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shellMessages as shell } from '../../messages/en/console/shell.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { pageData } from '../page-data.js';
import { useSessionEnd } from '../ui/session-end.js';
import { failureText } from './failure.js';
import { Product, Shell } from './parts/shell.js';
import { isStaff } from './rights.js';
import { Session } from './session-context.js';
import type { Me } from './types.js';
import { CurrentView } from './views/current-view.js';
import { readWaitingCount } from './waiting.js';

/** The address of the sign-in page that leads back to the current place. */
const signInAddress = (): string =>
  `${pageData.base}/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`;

/** The console: for signed-in staff; others are led away. */
export function App(): JSX.Element | null {
  const [state, setState] = useState<{ me: Me } | { failure: Failure } | undefined>(undefined);
  const ended = useSessionEnd();
  const load = async (): Promise<void> => {
    setState(undefined);
    const { data, error } = await client.me();
    setState(error ? { failure: error } : { me: data });
  };
  useEffect(() => void load(), []);
  useEffect(() => {
    if (ended !== undefined) location.replace(signInAddress());
  }, [ended]);
  if (ended !== undefined || state === undefined) return null;
  if ('failure' in state) return <Failed failure={state.failure} retry={() => void load()} />;
  if (!isStaff(state.me)) return <Outside me={state.me} />;
  return (
    <Session.Provider value={state.me}>
      <StaffOnly>
        <Shell>
          <CurrentView />
        </Shell>
      </StaffOnly>
    </Session.Provider>
  );
}

/** Asks the service once whether this sign-in suffices for staff: their role may require a second factor. */
function StaffOnly({ children }: { children: JSX.Element }): JSX.Element | null {
  const [isAllowed, setAllowed] = useState<boolean>();
  useEffect(() => {
    void readWaitingCount().then((failure) => setAllowed(failure?.code !== 'second_factor_required'));
  }, []);
  if (isAllowed === undefined) return null;
  return isAllowed ? children : <FactorMissing />;
}

/** Ends the session, after which `App` leads to the sign-in. If the service cannot end it, this leads there. */
async function leave(): Promise<void> {
  const { error } = await client.signOut();
  if (error) location.assign(signInAddress());
}

const Card = ({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: JSX.Element;
}): JSX.Element => (
  <>
    <header class="app-bar">
      <div class="app-brand">
        <Product />
      </div>
    </header>
    <main class="outside">
      <div class="outside-card">
        <h1>{title}</h1>
        <p class="quiet">{text}</p>
        <div class="button-row">{children}</div>
      </div>
    </main>
  </>
);

const Outside = ({ me }: { me: Me }): JSX.Element => (
  <Card title={shell.outside.title} text={shell.outside.text(me.email)}>
    <>
      {pageData.webApp !== undefined && (
        <a class="button primary" href={pageData.webApp}>
          {shell.outside.leave}
        </a>
      )}
      <a
        class={pageData.webApp === undefined ? 'button primary' : 'button secondary'}
        href={`${pageData.base}/account`}
      >
        {shell.outside.toAccount}
      </a>
      <button type="button" class="button secondary" onClick={() => void leave()}>
        {shell.outside.account}
      </button>
    </>
  </Card>
);

const FactorMissing = (): JSX.Element => (
  <Card title={shell.outside.factorTitle} text={shell.outside.factorText}>
    <button type="button" class="button primary" onClick={() => void leave()}>
      {shell.outside.factorAction}
    </button>
  </Card>
);

const Failed = ({ failure, retry }: { failure: Failure; retry: () => void }): JSX.Element => (
  <Card title={shell.outside.failedTitle} text={failureText(failure)}>
    <button type="button" class="button primary" onClick={retry}>
      {shell.retry}
    </button>
  </Card>
);
