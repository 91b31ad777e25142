import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Closes the dialog: the Escape key was pressed. Missing for one that must be answered. */
  onClose?: (() => void) | undefined;
  children: ComponentChildren;
}

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus in it and gives it back afterwards. The first
 * element with `data-focus` gets it, else the heading, so that screen readers announce what the dialog is about.
 */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return undefined;
    dialog.showModal();
    (dialog.querySelector<HTMLElement>('[data-focus]') ?? dialog.querySelector('h2'))?.focus();
    return () => {
      dialog.close();
      keepFocus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        // The state of the page decides what is shown.
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** Moves the focus to the heading of the page if the element that had it before is gone. */
function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('dialog[open] h2, main h1')?.focus();
  });
}

interface ActionsProps {
  children: ComponentChildren;
}

/** The buttons at the end of a dialog or form. */
export const Actions = ({ children }: ActionsProps): VNode => <div class="button-row">{children}</div>;
