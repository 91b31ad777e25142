import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface WholePageProps {
  title: string;
  text: ComponentChildren;
  /** Links and buttons that lead on. */
  children?: ComponentChildren;
}

/** A message in place of everything else on the page. Its heading gets the focus, so that screen readers announce it. */
export function WholePage({ title, text, children }: WholePageProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [title]);
  return (
    <main class="panel ended">
      <div class="panel-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p class="panel-lead">{text}</p>
      </div>
      {children !== undefined && <div class="panel-actions">{children}</div>}
    </main>
  );
}
