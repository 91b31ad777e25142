import type { ComponentChildren, VNode } from 'preact';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { navigateTo } from '../session.js';

interface LinkButtonProps {
  href: string;
  /** Defaults to `secondary`. */
  rank?: 'primary' | 'secondary';
  onPress?: () => void;
  children: ComponentChildren;
}

/** A link that looks like a button. */
export const LinkButton = ({ href, rank = 'secondary', onPress, children }: LinkButtonProps): VNode => (
  <a class={`button ${rank}`} href={href} onClick={onPress}>
    {children}
  </a>
);

/** The link to where the user wanted to go. A session that cannot go along is ended. */
export const ContinueLink = ({ target }: { target: string }): VNode => (
  <a
    class="button primary"
    href={target}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void navigateTo(target);
    }}
  >
    {messages.continue}
  </a>
);
