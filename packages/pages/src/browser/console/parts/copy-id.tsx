import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';

/** An id with a button that copies it. */
export function CopyId({ id }: { id: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Without the right to write to the clipboard, the id can still be selected.
    await navigator.clipboard.writeText(id).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <span class="copy-id">
      <span class="code">{id}</span>
      <button type="button" class="button quiet small" onClick={() => void copy()}>
        {isCopied ? shell.copied : shell.copy}
      </button>
    </span>
  );
}
