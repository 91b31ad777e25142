import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { keyMessages, paletteMessages, shellMessages as shell } from '../../../messages/en/console/shell.js';
import { client } from '../../client.js';
import { element } from '../../dom.js';
import { pageData } from '../../page-data.js';
import { numberText } from '../format.js';
import { COMMAND_KEY, isMac, useKeys, useKeysOn, type KeyMap } from '../keys.js';
import { DESTINATIONS, SECTIONS, type Destination } from '../navigation.js';
import { showKeys, showPalette } from '../overlay-store.js';
import { go, hrefOf, usePlace } from '../router.js';
import { useMe, useRights } from '../session-context.js';
import { useWaitingCount, useWaitingUpdates } from '../waiting.js';
import { Icon } from './icons.js';
import { Link } from './link.js';
import { Menu } from './menu.js';
import { Overlays } from './overlays.js';
import { Avatar } from './pill.js';

const { brand = '', mark = '', logo = '', logoDark = '' } = document.body.dataset;

/** Navigation around the current view. */
export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { path } = usePlace();
  useWaitingUpdates();
  useShellKeys(() => setOpen(false));
  useArrival(path);
  useEffect(() => setOpen(false), [path]);
  return (
    <div class={`frame ${isOpen ? 'menu-open' : ''}`}>
      <a class="skip" href="#content" onClick={skip}>
        {shell.skip}
      </a>
      <header class="side">
        <div class="side-head">
          <Link href={hrefOf('')} class="product">
            <Product />
          </Link>
          <button
            type="button"
            class="icon-button menu-button"
            aria-label={shell.menu}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
          </button>
        </div>
        <div class="side-body">
          <Navigation />
          <Account />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Overlays />
    </div>
  );
}

/** Logo and name. A logo shows the name, so that is its text alternative only. */
export const Product = (): JSX.Element =>
  logo === '' ? (
    <>
      <img src={mark} alt="" />
      <span>
        {brand} <span class="quiet">{shell.console}</span>
      </span>
    </>
  ) : (
    <>
      <picture>
        {logoDark !== '' && <source srcset={logoDark} media="(prefers-color-scheme: dark)" />}
        <img src={logo} alt={brand} class="logo-wide" />
      </picture>
      <span class="quiet">{shell.console}</span>
    </>
  );

function skip(event: MouseEvent): void {
  event.preventDefault();
  element('#content', HTMLElement).focus();
}

/** Announces a new view to screen readers by its heading, or goes to its search, and names it in the title of the tab. */
function useArrival(path: string): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const section = path.split('/')[0] ?? '';
    const name = DESTINATIONS.find((each) => each.path === section)?.name ?? shell.console;
    document.title = `${name} · ${brand}`;
    const target = wantsSearch ? 'main input[type=search]' : 'main h1';
    wantsSearch = false;
    if (isFirst.current) isFirst.current = false;
    else document.querySelector<HTMLElement>(target)?.focus({ preventScroll: true });
  }, [path]);
}

function useShellKeys(closeMenu: () => void): void {
  const { may } = useRights();
  const { path } = usePlace();
  const places = DESTINATIONS.filter(({ needs }) => may(needs)).map(
    (each) => [`g ${each.key}`, () => go(hrefOf(each.path))] as const,
  );
  const keys: KeyMap = {
    ...Object.fromEntries(places),
    '?': () => showKeys(true),
    [COMMAND_KEY]: () => showPalette(true),
    // A view with a search of its own handles this key before.
    '/': () => searchUsers(),
    Escape: () => {
      closeMenu();
      if (path.includes('/')) go(hrefOf(path.slice(0, path.lastIndexOf('/'))));
    },
  };
  useKeys(keys);
}

/** True while the next view is opened for its search. */
let wantsSearch = false;

function searchUsers(): void {
  wantsSearch = true;
  go(hrefOf('users'));
}

function Navigation(): JSX.Element {
  const { may } = useRights();
  const shown = SECTIONS.map(({ name, destinations }) => ({
    name,
    destinations: destinations.filter(({ needs }) => may(needs)),
  })).filter(({ destinations }) => destinations.length > 0);
  return (
    <nav aria-label={shell.navigation}>
      {shown.map(({ name, destinations }) => (
        <div key={name ?? ''} class="nav-section">
          {name !== undefined && <p class="nav-title">{name}</p>}
          <ul>
            {destinations.map((destination) => (
              <NavigationItem key={destination.path} destination={destination} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function NavigationItem({
  destination: { path, name, icon, key },
}: {
  destination: Destination;
}): JSX.Element {
  const current = usePlace().path.split('/')[0];
  const waiting = useWaitingCount();
  const badge = path === 'approvals' && waiting !== undefined && waiting > 0 ? waiting : undefined;
  return (
    <li>
      <Link href={hrefOf(path)} class="nav-link" isCurrent={current === path}>
        <Icon name={icon} />
        <span class="nav-name">{name}</span>
        {badge === undefined ? (
          <span class="nav-keys" aria-hidden="true">
            <kbd>g</kbd> <kbd>{key}</kbd>
          </span>
        ) : (
          <span class="badge-count">
            <span aria-hidden="true">{numberText(badge)}</span>
            <span class="unseen">{shell.waiting(numberText(badge))}</span>
          </span>
        )}
      </Link>
    </li>
  );
}

function Account(): JSX.Element {
  const me = useMe();
  const user = { fullName: me.name, email: me.email };
  const isKeyOn = useKeysOn();
  return (
    <div class="side-foot">
      <button type="button" class="nav-link" onClick={() => showPalette(true)}>
        <Icon name="search" />
        <span class="nav-name">{paletteMessages.title}</span>
        {isKeyOn && (
          <span class="nav-keys" aria-hidden="true">
            <kbd>{isMac ? '⌘' : keyMessages.control}</kbd> <kbd>K</kbd>
          </span>
        )}
      </button>
      <button type="button" class="nav-link" onClick={() => showKeys(true)}>
        <Icon name="keyboard" />
        <span class="nav-name">{shell.keys}</span>
        <span class="nav-keys" aria-hidden="true">
          <kbd>?</kbd>
        </span>
      </button>
      <Menu
        class="account"
        isAbove
        items={[
          { label: shell.account, href: `${pageData.base}/account` },
          { label: shell.security, href: `${pageData.base}/account#security` },
          { label: shell.signOut, run: () => void client.signOut() },
        ]}
      >
        <Avatar user={user} />
        <span class="who-text">
          <span class="account-name">{me.name ?? me.email}</span>
          <span class="quiet">{names.role[me.globalRole]}</span>
        </span>
        <Icon name="more" />
      </Menu>
    </div>
  );
}
