import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';

/** A small button that copies a text. */
export function CopyButton({
  text,
  label,
  children,
}: {
  text: string;
  /** The accessible name if what the button shows is not enough. */
  label?: string;
  children: ComponentChildren;
}): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Without the right to write to the clipboard, the text can still be selected.
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <button
      type="button"
      class="button quiet small"
      aria-label={isCopied ? undefined : label}
      onClick={() => void copy()}
    >
      {isCopied ? shell.copied : children}
    </button>
  );
}

/** An id with a button that copies it. */
export const CopyId = ({ id }: { id: string }): JSX.Element => (
  <span class="copy-id">
    <span class="code">{id}</span>
    <CopyButton text={id}>{shell.copy}</CopyButton>
  </span>
);
