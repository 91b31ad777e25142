import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { actingMessages as messages } from '../../messages/en/acting.js';
import { client } from '../client.js';
import { countDown } from '../count-down.js';
import { failureText, reasonOf } from '../failure-text.js';
import type { Failure } from '../failure.js';
import { pageData } from '../page-data.js';
import type { Me } from '../session.js';
import { Button } from './button.js';
import { LinkButton } from './link-button.js';
import { Notice } from './notice.js';
import { WholePage } from './whole-page.js';

/** Shows the actor, the user, the reason and the end of an acting session, and ends it. Empty in any other session. */
export function ActingBanner({ me }: { me: Me }): VNode | null {
  const { actor, name, email, sessionId } = me;
  return actor ? <Banner actor={actor} user={name ?? email} sessionId={sessionId} /> : null;
}

function Banner({
  actor,
  user,
  sessionId,
}: {
  actor: NonNullable<Me['actor']>;
  user: string;
  sessionId: string;
}): VNode {
  const [failure, setFailure] = useState<Failure>();
  const stop = async (): Promise<void> => {
    const { error } = await client.sessions.revoke(sessionId);
    setFailure(error);
    if (error) return;
    await client.signOut();
    // Works in a tab that showed this page only; in any other the page says that the session has ended.
    window.close();
  };
  return (
    <section class="acting-banner" aria-label={messages.title}>
      <div class="acting-text">
        <p class="acting-who">{messages.actsFor(actor.name ?? messages.staff, user)}</p>
        {actor.reason !== null && <p class="acting-why">{messages.reason(actor.reason)}</p>}
      </div>
      <TimeLeft until={actor.until} />
      <Button onPress={stop}>{messages.stop}</Button>
      {failure && <Notice>{failureText(failure)}</Notice>}
    </section>
  );
}

/** Counts the time down, and asks the service once it is over, which ends the session of the page. */
function TimeLeft({ until }: { until: string }): VNode {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const seconds = Math.max(0, (Date.parse(until) - Date.now()) / 1000);
    const end = (): void => {
      setLeft(0);
      void client.me();
    };
    return countDown(seconds, setLeft, end);
  }, [until]);
  return (
    <p class="acting-left" role="timer">
      {messages.left(clockText(left))}
    </p>
  );
}

/** Returns hours, minutes and seconds as a clock shows them: `59:07`, `1:00:00`. */
function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => String(part).padStart(index === 0 ? 1 : 2, '0')).join(':');
}

type Opening = { state: 'opening' } | { state: 'failed'; text: string } | { state: 'open' };

/** Exchanges the code by which the console has opened this tab, and shows the page once the session is there. */
export function ActingEntry({ code, children }: { code: string; children: VNode }): VNode {
  const [opening, setOpening] = useState<Opening>({ state: 'opening' });
  useEffect(() => void exchange(code).then(setOpening), []);
  if (opening.state === 'open') return children;
  return opening.state === 'opening' ? (
    <WholePage title={messages.opening} text={messages.openingText} />
  ) : (
    <WholePage title={messages.failed} text={opening.text}>
      <ToConsole />
    </WholePage>
  );
}

async function exchange(code: string): Promise<Opening> {
  const { data, error } = await client.request('POST', '/auth/acting/exchange', { body: { code } });
  if (error) return { state: 'failed', text: entryFailureText(error) };
  await client.session.start(data);
  return { state: 'open' };
}

function entryFailureText(failure: Failure): string {
  if (reasonOf(failure) === 'handoff_code_invalid') return messages.used;
  return failure.code === 'forbidden' ? messages.notAllowed : failureText(failure);
}

/** The end of an acting session, in place of a sign-in. */
export const ActingEnded = (): VNode => (
  <WholePage title={messages.ended} text={messages.endedText}>
    <ToConsole />
  </WholePage>
);

const ToConsole = (): VNode | null =>
  pageData.hasConsole ? (
    <LinkButton href={`${pageData.base}/console`} rank="primary">
      {messages.toConsole}
    </LinkButton>
  ) : null;
