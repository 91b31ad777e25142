import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { accountFrameMessages as messages } from '../../messages/en/account.js';
import { uiMessages } from '../../messages/en/ui.js';
import { appData } from '../app-data.js';
import { client } from '../client.js';
import { linkTo } from '../keep-language.js';
import { pageData } from '../page-data.js';
import { mayHaveSession, mayOpenConsole } from '../session.js';
import { Avatar } from '../ui/avatar.js';
import { Button } from '../ui/button.js';
import { LinkButton } from '../ui/link-button.js';
import { useToast } from '../ui/toast.js';
import { DataView } from './data-view.js';
import { KeysView } from './keys-view.js';
import { useAccount } from './me.js';
import { ProfileView } from './profile-view.js';
import { SecurityView } from './security-view.js';
import { SessionsView } from './sessions-view.js';

const ALL_VIEWS = ['profile', 'security', 'sessions', 'keys', 'data'] as const;

type View = (typeof ALL_VIEWS)[number];

/** The views of the page, by the fragment of its address. */
const VIEWS = ALL_VIEWS.filter((view) => view !== 'keys' || appData.personalKeys);

const current = (): View => VIEWS.find((view) => `#${view}` === location.hash) ?? 'profile';

/** Returns the view of the address. */
function useView(): View {
  const [view, setView] = useState(current);
  useEffect(() => {
    const follow = (): void => setView(current());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return view;
}

const CONTENTS: Record<View, () => VNode> = {
  profile: ProfileView,
  security: SecurityView,
  sessions: SessionsView,
  keys: KeysView,
  data: DataView,
};

/** Navigation beside the view that is shown. */
export function AccountFrame(): VNode {
  const view = useView();
  const { me } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  const navigation = useRef<HTMLUListElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    document.title = `${messages.views[view]} · ${messages.navigation} · ${pageData.brand}`;
    // The heading announces the view that the user has chosen.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
    // On a phone the navigation is one line, of which a part is shown.
    navigation.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [view]);
  const Content = CONTENTS[view];
  return (
    <div class="app-columns">
      <aside class="app-side" aria-label={messages.navigation}>
        <Identity />
        <nav aria-label={messages.navigation}>
          <ul class="side-nav" ref={navigation}>
            {VIEWS.map((each) => (
              <li key={each}>
                <a href={`#${each}`} aria-current={each === view ? 'page' : undefined}>
                  {messages.views[each]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="side-actions">
          {mayOpenConsole(me) && me.actor === undefined && (
            <LinkButton href={linkTo('console')}>{uiMessages.openConsole}</LinkButton>
          )}
          <SignOut />
        </div>
      </aside>
      <main>
        <div class="page-head">
          <h1 ref={heading} tabIndex={-1}>
            {messages.views[view]}
          </h1>
          <p class="lead">{messages.leads[view]}</p>
        </div>
        <Content />
      </main>
    </div>
  );
}

function Identity(): VNode {
  const { me } = useAccount();
  const { name, email } = me;
  return (
    <div class="identity">
      <Avatar user={me} />
      <div>
        {name !== null && <p class="identity-name">{name}</p>}
        <p class="identity-email">
          <Breakable email={email} />
        </p>
      </div>
    </div>
  );
}

/** An address that is broken before its domain rather than within a word. */
function Breakable({ email }: { email: string }): VNode {
  const at = email.lastIndexOf('@');
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}

function SignOut(): VNode {
  const announce = useToast();
  const signOut = async (): Promise<void> => {
    await client.signOut();
    if (mayHaveSession()) announce(messages.stillSignedIn, 'danger');
  };
  return <Button onPress={signOut}>{messages.signOut}</Button>;
}
