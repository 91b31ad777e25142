import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useDismissal } from './toast.js';

interface DialogProps {
  title: string;
  /** Closes the dialog: the Escape key was pressed. Missing for one that must be answered. */
  onClose?: (() => void) | undefined;
  /** True if it may open above another dialog, which is hidden meanwhile. */
  isOnTop?: boolean;
  children: ComponentChildren;
}

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus in it and gives it back afterwards. The first
 * element with `data-focus` gets it, else the heading, so that screen readers announce what the dialog is about.
 */
export function Dialog({ title, onClose, isOnTop = false, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const dismiss = useDismissal();
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return undefined;
    const opener = document.activeElement;
    dismiss();
    dialog.showModal();
    (dialog.querySelector<HTMLElement>('[data-focus]') ?? dialog.querySelector('h2'))?.focus();
    return () => {
      dialog.close();
      keepFocus(opener);
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isOnTop ? 'dialog on-top' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // The state of the page decides what is shown.
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => {
        // A browser may close a dialog all the same, to let users get out of one that they cannot close.
        if (!currentTarget.isConnected) return;
        if (onClose) onClose();
        else currentTarget.showModal();
      }}
    >
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** Gives the focus back if the browser could not, or moves it to a heading if the element that had it is gone. */
function keepFocus(opener: Element | null): void {
  requestAnimationFrame(() => {
    if (isFocusLost() && opener instanceof HTMLElement) opener.focus();
    if (isFocusLost()) document.querySelector<HTMLElement>('dialog[open] h2, main h1')?.focus();
  });
}

const isFocusLost = (): boolean => document.activeElement === document.body;

/** The buttons at the end of a dialog or form. */
export const Actions = ({ children }: { children: ComponentChildren }): VNode => (
  <div class="button-row">{children}</div>
);
