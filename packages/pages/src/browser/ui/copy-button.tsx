import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';
import { Button } from './button.js';

/** A button that copies a text and says so beside it. */
export function CopyButton({
  text,
  label,
  shownIn,
}: {
  text: string;
  label: string;
  /** Returns the element that shows the text: it is selected if the browser does not allow to copy. */
  shownIn: () => HTMLElement | null;
}): VNode {
  const [status, setStatus] = useState('');
  const copy = async (): Promise<void> => {
    setStatus('');
    try {
      await navigator.clipboard.writeText(text);
      setStatus(messages.copied);
    } catch {
      const element = shownIn();
      if (element) getSelection()?.selectAllChildren(element);
      setStatus(messages.selected);
    }
  };
  return (
    <>
      <Button onPress={copy}>{label}</Button>
      <span class="copy-status" role="status">
        {status}
      </span>
    </>
  );
}
