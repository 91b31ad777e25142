import type { ComponentChildren, JSX } from 'preact';
import { go } from '../router.js';

interface LinkProps {
  href: string;
  children: ComponentChildren;
  class?: string;
  /** True for the main control of a record, which the keys move to. */
  isMain?: boolean;
  isCurrent?: boolean;
  label?: string;
  /** Runs before the console goes there. */
  onFollow?: () => void;
}

/** A link within the console. Modifier keys open it in a new tab, as usual. */
export const Link = ({
  href,
  children,
  isMain,
  isCurrent,
  label,
  onFollow,
  ...rest
}: LinkProps): JSX.Element => (
  <a
    href={href}
    class={rest.class}
    data-main={isMain ? '' : undefined}
    aria-current={isCurrent ? 'page' : undefined}
    aria-label={label}
    onClick={(event) => follow(event, href, onFollow)}
  >
    {children}
  </a>
);

function follow(event: MouseEvent, href: string, onFollow?: () => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  onFollow?.();
  go(href);
}
