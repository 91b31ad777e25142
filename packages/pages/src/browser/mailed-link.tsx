import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { mailedLinkMessages as messages } from '../messages/en/mailed-links.js';
import { client } from './client.js';
import { failureText } from './failure-text.js';
import { refuses } from './failure.js';
import { linkTo } from './keep-language.js';
import { forgetToken, takeToken } from './one-time-token.js';
import { pageData } from './page-data.js';
import { Button } from './ui/button.js';
import { fillText } from './ui/fill-text.js';
import { LinkButton } from './ui/link-button.js';
import { mount } from './ui/mount.js';
import { Notice } from './ui/notice.js';
import { Ended, View } from './ui/view.js';

interface Link {
  texts: {
    heading: string;
    /** The addresses that the link is about, where the service knows them. */
    about?: string;
    lead: string;
    button: string;
    doneHeading: string;
    done: string;
    unusableHeading: string;
    unusable: string;
    /** The state of an address that another account has by now. */
    takenHeading?: string;
    taken?: string;
  };
  /** The route, which takes the token. */
  route:
    | '/auth/email/change/confirm'
    | '/auth/email/change/undo'
    | '/auth/email/verify/reject'
    | '/auth/me/deletion/undo';
  /** The route that returns the addresses which the link is about. */
  preview?: '/auth/email/change/preview' | '/auth/email/change/undo/preview';
  /** Distinguishes its token from those of other pages in the storage of the tab. */
  tokenKey: string;
  /** The way on after success. */
  next?: VNode;
}

const LINKS: Record<string, Link> = {
  changeEmail: {
    texts: messages.changeEmail,
    route: '/auth/email/change/confirm',
    preview: '/auth/email/change/preview',
    tokenKey: 'latchkey.email-change',
    next: (
      <LinkButton href={linkTo('login')} rank="primary">
        {messages.signIn}
      </LinkButton>
    ),
  },
  undoEmailChange: {
    texts: messages.undoEmailChange,
    route: '/auth/email/change/undo',
    preview: '/auth/email/change/undo/preview',
    tokenKey: 'latchkey.email-change-undo',
    next: (
      <LinkButton href={linkTo('reset-password')} rank="primary">
        {messages.undoEmailChange.choosePassword}
      </LinkButton>
    ),
  },
  undoDeletion: {
    texts: messages.undoDeletion,
    route: '/auth/me/deletion/undo',
    tokenKey: 'latchkey.deletion-undo',
    next: (
      <LinkButton href={linkTo('login')} rank="primary">
        {messages.signIn}
      </LinkButton>
    ),
  },
  rejectRegistration: {
    texts: messages.rejectRegistration,
    route: '/auth/email/verify/reject',
    tokenKey: 'latchkey.registration-rejection',
  },
};

/**
 * Loads the addresses that a link is about. Without them the question is asked all the same: the route of the button decides.
 * @param onUnusable the token is of no use.
 */
function useAddresses(
  { preview }: Link,
  token: string | undefined,
  onUnusable: () => void,
): { addresses: Schemas['EmailChangePreview'] | undefined; isLoading: boolean } {
  const [addresses, setAddresses] = useState<Schemas['EmailChangePreview']>();
  const [isLoading, setLoading] = useState(preview !== undefined && token !== undefined);
  const load = async (route: NonNullable<Link['preview']>): Promise<void> => {
    const { data, error } = await client.request('POST', route, { body: { token: token ?? '' } });
    setAddresses(data);
    if (error && refuses(error, '/token')) onUnusable();
    setLoading(false);
  };
  useEffect(() => {
    if (preview !== undefined && token !== undefined) void load(preview);
  }, []);
  return { addresses, isLoading };
}

/** A page whose only button sends the token of a mailed link to a route; opening it changes nothing. */
function MailedLinkPage(link: Link): VNode {
  const { texts, route, tokenKey } = link;
  const [token] = useState(() => takeToken(tokenKey));
  const [view, setView] = useState<'confirm' | ('done' | 'unusable' | 'taken')>(
    token === undefined ? 'unusable' : 'confirm',
  );
  const [notice, setNotice] = useState('');
  const { addresses, isLoading } = useAddresses(link, token, () => {
    forgetToken(tokenKey);
    setView('unusable');
  });
  const confirm = async (): Promise<void> => {
    setNotice('');
    const { error } = await client.request('POST', route, { body: { token: token ?? '' } });
    if (!error || refuses(error, '/token')) {
      forgetToken(tokenKey);
      setView(error ? 'unusable' : 'done');
    } else if ('reason' in error && error.reason === 'email_taken') setView('taken');
    else setNotice(failureText(error));
  };
  if (view !== 'confirm') return <EndView link={link} view={view} />;
  if (isLoading) return <OpeningView />;
  return (
    <View name="confirm" heading={texts.heading}>
      {addresses && texts.about !== undefined && (
        <p class="lead">
          {fillText(texts.about, {
            email: <strong>{addresses.email}</strong>,
            account: <strong>{addresses.currentEmail}</strong>,
          })}
        </p>
      )}
      <p class="lead">{texts.lead}</p>
      <div class="actions">
        {notice !== '' && <Notice>{notice}</Notice>}
        <Button rank="primary" onPress={confirm}>
          {texts.button}
        </Button>
      </div>
    </View>
  );
}

/** What has become of the link. */
function EndView({
  link: { texts, next },
  view,
}: {
  link: Link;
  view: 'done' | 'unusable' | 'taken';
}): VNode {
  if (view === 'done') {
    return (
      <Ended name="done" heading={texts.doneHeading} text={texts.done}>
        {next}
      </Ended>
    );
  }
  const isTaken = view === 'taken';
  return (
    <Ended
      name={view}
      heading={isTaken ? texts.takenHeading : texts.unusableHeading}
      text={isTaken ? texts.taken : texts.unusable}
    >
      <LinkButton href={linkTo('login')}>{messages.signIn}</LinkButton>
    </Ended>
  );
}

const OpeningView = (): VNode => (
  <View name="opening" heading={messages.moment}>
    <p class="lead">
      <span class="spinner" />
      {messages.opening}
    </p>
  </View>
);

const link = LINKS[pageData.link];
if (link) mount(<MailedLinkPage {...link} />);
