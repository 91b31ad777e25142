import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** An entry of a menu: a link to another page, or a button. */
interface MenuItem {
  label: string;
  href?: string;
  isDanger?: boolean;
  run?: () => void;
}

interface MenuProps {
  /** The content of its button. */
  children: ComponentChildren;
  items: readonly MenuItem[];
  class?: string;
  /** True if the list opens above the button. */
  isAbove?: boolean;
}

/** A button that opens a list. Escape, a choice and leaving it close the list. */
export function Menu({ children, items, isAbove = false, ...rest }: MenuProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    element.current?.querySelector('button')?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !element.current?.contains(target)) setOpen(false);
    };
    addEventListener('pointerdown', closeOutside);
    addEventListener('focusin', closeOutside);
    return () => {
      removeEventListener('pointerdown', closeOutside);
      removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  return (
    <div
      ref={element}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        // The view has a use of its own for this key.
        event.preventDefault();
        close();
      }}
    >
      <button
        type="button"
        class={rest.class}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      <ul id={id} class={`menu-list ${isAbove ? 'above' : ''}`} hidden={!isOpen}>
        {items.map((item) => (
          <li key={item.label}>
            <Item item={item} close={close} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Item({ item, close }: { item: MenuItem; close: () => void }): JSX.Element {
  const { label, href, isDanger, run } = item;
  if (href !== undefined) return <a href={href}>{label}</a>;
  return (
    <button
      type="button"
      class={isDanger ? 'danger' : undefined}
      onClick={() => {
        close();
        run?.();
      }}
    >
      {label}
    </button>
  );
}
