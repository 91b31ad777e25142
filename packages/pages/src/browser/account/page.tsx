import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { accountFrameMessages as messages } from '../../messages/en/account.js';
import { isActingTab } from '../acting-tab.js';
import { client } from '../client.js';
import type { Me } from '../session.js';
import { ActingBanner, ActingEnded } from '../ui/acting.js';
import { LoadState } from '../ui/load-state.js';
import { useSessionEnd } from '../ui/session-end.js';
import { StepUpProvider } from '../ui/step-up.js';
import { ToastProvider } from '../ui/toast.js';
import { useLoaded, type Loaded } from '../ui/use-loaded.js';
import { AccountClosed } from './deletion-section.js';
import { AccountFrame } from './frame.js';
import { AccountContext } from './me.js';
import { SessionEnded } from './session-ended.js';
import { goToSignIn } from './sign-in-link.js';

/** The page: the account once it is loaded, or why it is not. */
export function AccountPage(): VNode {
  const loaded = useLoaded(() => client.me());
  const end = useSessionEnd();
  const [deleteAt, setDeleteAt] = useState<string>();
  useCheckOnReturn(loaded);
  // A browser that only looked signed in is led to the sign-in; a user whose session has ended gets a notice first.
  const wasNeverIn = end !== undefined && !loaded.data;
  useEffect(() => {
    if (wasNeverIn && !isActingTab) goToSignIn();
  }, [wasNeverIn]);
  if (deleteAt !== undefined && loaded.data)
    return <AccountClosed email={loaded.data.email} deleteAt={deleteAt} />;
  if (end !== undefined && isActingTab) return <ActingEnded />;
  if (end !== undefined && loaded.data) return <SessionEnded reason={end} />;
  if (!loaded.data) return <Unloaded loaded={loaded} />;
  return (
    <AccountContext.Provider value={{ me: loaded.data, reload: loaded.reload, closed: setDeleteAt }}>
      <ToastProvider>
        <StepUpProvider email={loaded.data.email}>
          <ActingBanner me={loaded.data} />
          <AccountFrame />
        </StepUpProvider>
      </ToastProvider>
    </AccountContext.Provider>
  );
}

/** Reads the user again when the page is looked at again: the session may have ended meanwhile. */
function useCheckOnReturn({ reload }: Loaded<Me>): void {
  useEffect(() => {
    const check = (): void => {
      if (document.visibilityState === 'visible') void reload();
    };
    document.addEventListener('visibilitychange', check);
    return () => document.removeEventListener('visibilitychange', check);
  }, []);
}

const Unloaded = ({ loaded }: { loaded: Loaded<Me> }): VNode => (
  <main>
    <h1 tabIndex={-1}>{loaded.failure ? messages.notLoaded : messages.navigation}</h1>
    <LoadState loaded={loaded} />
  </main>
);
