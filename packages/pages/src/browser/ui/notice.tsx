import type { ComponentChildren, VNode } from 'preact';

interface NoticeProps {
  /** Defaults to `danger`. */
  tone?: 'danger' | 'success' | 'info';
  children: ComponentChildren;
}

/** A text that stands out. That of a failure is announced at once, another one when the user pauses. */
export const Notice = ({ tone = 'danger', children }: NoticeProps): VNode => (
  <div class={`notice ${tone === 'danger' ? 'error' : tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
    {children}
  </div>
);
