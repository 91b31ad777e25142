import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  title: string;
  lead?: ComponentChildren;
  children?: ComponentChildren;
  /** Buttons at the end of the section. */
  actions?: ComponentChildren;
}

/** A part of the page with a heading. */
export function Section({ title, lead, children, actions }: SectionProps): VNode {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {lead !== undefined && <p class="panel-lead">{lead}</p>}
      </div>
      {children}
      {actions !== undefined && <div class="panel-actions">{actions}</div>}
    </section>
  );
}

/** A list of rows. */
export const List = ({
  label,
  children,
}: {
  /** The accessible name of the list. */
  label: string;
  children: ComponentChildren;
}): VNode => (
  <ul class="rows" aria-label={label}>
    {children}
  </ul>
);

interface RowProps {
  /** The avatar before the text. */
  avatar?: ComponentChildren;
  title: ComponentChildren;
  /** A word beside the title, such as "This device". */
  badge?: string | undefined;
  /** Facts below the title; absent ones are left out. */
  details?: readonly ComponentChildren[];
  actions?: ComponentChildren;
}

/** One item of a list: what it is, facts about it, and what can be done with it. */
export const Row = ({ avatar, title, badge, details = [], actions }: RowProps): VNode => (
  <li class="row-item">
    {avatar}
    <div class="row-text">
      <p class="row-title">
        <span>{title}</span>
        {badge !== undefined && <span class="badge">{badge}</span>}
      </p>
      {details.filter(Boolean).map((detail, index) => (
        <p key={index} class="row-detail">
          {detail}
        </p>
      ))}
    </div>
    {actions !== undefined && <div class="row-actions">{actions}</div>}
  </li>
);
