import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { companyMessages as messages, ownCompanyMessages } from '../../messages/en/company.js';
import { client } from '../client.js';
import { linkTo } from '../keep-language.js';
import { pageData } from '../page-data.js';
import { mayHaveSession, navigateTo } from '../session.js';
import { Button } from '../ui/button.js';
import { LinkButton } from '../ui/link-button.js';
import { useToast } from '../ui/toast.js';
import { ActivityView } from './activity-view.js';
import { useCompany } from './company.js';
import { InvitationsView } from './invitations-view.js';
import { KeysView } from './keys-view.js';
import { MembersView } from './members-view.js';
import { choiceHref, useView, viewsOf, type View } from './place.js';
import { RolesView } from './roles-view.js';
import { roleText, shortId } from './texts.js';
import { WebhooksView } from './webhooks-view.js';

const CONTENTS: Record<View, () => VNode> = {
  members: MembersView,
  invitations: InvitationsView,
  roles: RolesView,
  keys: KeysView,
  webhooks: WebhooksView,
  activity: ActivityView,
};

/** Navigation beside the view that is shown. */
export function CompanyFrame(): VNode {
  const { authority, company } = useCompany();
  const views = viewsOf(authority);
  const view = useView(views) ?? 'members';
  const name = company.name ?? ownCompanyMessages.unnamed(shortId(company.id));
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    document.title = `${messages.views[view]} · ${name} · ${pageData.brand}`;
    // The heading announces the view that the user has chosen.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [view]);
  const Content = CONTENTS[view];
  return (
    <div class="app-columns">
      <aside class="app-side" aria-label={messages.title}>
        <Identity name={name} />
        <nav aria-label={messages.title}>
          <ul class="side-nav">
            {views.map((each) => (
              <li key={each}>
                <a href={`#${each}`} aria-current={each === view ? 'page' : undefined}>
                  {messages.views[each]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Ways />
      </aside>
      <main>
        <div class="page-head">
          <h1 ref={heading} tabIndex={-1}>
            {messages.views[view]}
          </h1>
          <p class="lead">{messages.leads[view]}</p>
        </div>
        <Content key={view} />
      </main>
    </div>
  );
}

function Identity({ name }: { name: string }): VNode {
  const { authority } = useCompany();
  const role = authority.role === undefined ? messages.platformStaff : roleText(authority.role);
  return (
    <div class="identity">
      <span class="avatar" aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      <div>
        <p class="identity-name">{name}</p>
        <p class="identity-email">{role}</p>
      </div>
    </div>
  );
}

/** The ways out: back to the app, to another company, to the account, and out of the session. */
function Ways(): VNode {
  const { me } = useCompany();
  const announce = useToast();
  const { returnTo } = pageData;
  const signOut = async (): Promise<void> => {
    await client.signOut();
    if (mayHaveSession()) announce(messages.stillSignedIn, 'danger');
  };
  const hasOthers = me.companyMemberships.filter(({ isActive }) => isActive).length > 1;
  return (
    <div class="side-actions">
      {returnTo !== undefined && (
        <Button rank="primary" onPress={() => navigateTo(returnTo)}>
          {messages.back}
        </Button>
      )}
      {hasOthers && <LinkButton href={choiceHref()}>{messages.otherCompany}</LinkButton>}
      <LinkButton href={`${pageData.base}/${linkTo('account')}`}>{messages.toAccount}</LinkButton>
      <Button onPress={signOut}>{messages.signOut}</Button>
    </div>
  );
}
