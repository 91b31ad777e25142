import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

let isPageOpen = false;

/**
 * One state of a page of a few. When another one was shown before, its first field with `data-focus` or its heading gets the
 * focus, so that screen readers announce the change.
 */
export function View({
  name,
  heading,
  children,
}: {
  name: string;
  heading: ComponentChildren;
  children?: ComponentChildren;
}): VNode {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const first = element.current?.querySelector<HTMLElement>('[data-focus]');
    if (isPageOpen) (first ?? element.current?.querySelector('h1'))?.focus();
    isPageOpen = true;
  }, [name]);
  return (
    <section ref={element} data-view={name}>
      <h1 tabIndex={-1}>{heading}</h1>
      {children}
    </section>
  );
}

interface EndedProps {
  name: string;
  heading: ComponentChildren;
  text: ComponentChildren;
  /** Links and buttons that lead on. */
  children?: ComponentChildren;
}

/** A state that says what has happened, and leads on. */
export const Ended = ({ name, heading, text, children }: EndedProps): VNode => (
  <View name={name} heading={heading}>
    <p class="lead">{text}</p>
    {children !== undefined && <div class="actions">{children}</div>}
  </View>
);
