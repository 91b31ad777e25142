import type { VNode } from 'preact';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { linkTo } from '../keep-language.js';
import { LinkButton } from './link-button.js';

/** Where a signed-in user without another target goes: staff to the console first, everyone to the account. */
export const HomeLinks = ({
  isStaff,
  isSecond = false,
}: {
  /** True if the user may open the console. */
  isStaff: boolean;
  /** True if another link comes first. */
  isSecond?: boolean;
}): VNode => (
  <>
    {isStaff && (
      <LinkButton href={linkTo('console')} rank={isSecond ? 'secondary' : 'primary'}>
        {messages.openConsole}
      </LinkButton>
    )}
    <LinkButton href={linkTo('account')} rank={isSecond || isStaff ? 'secondary' : 'primary'}>
      {messages.manageAccount}
    </LinkButton>
  </>
);
