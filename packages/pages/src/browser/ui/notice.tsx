import type { ComponentChildren, VNode } from 'preact';

/** A text that stands out. That of a failure is announced at once, another one when the user pauses. */
export const Notice = ({
  tone = 'danger',
  children,
}: {
  /** Defaults to `danger`. */
  tone?: 'danger' | 'success' | 'info';
  children: ComponentChildren;
}): VNode => (
  <div class={`notice ${tone === 'danger' ? 'error' : tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
    {children}
  </div>
);
