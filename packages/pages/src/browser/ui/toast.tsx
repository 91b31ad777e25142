import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';

/**
 * `success` is shown for a while, `danger` until it is closed, `spoken` is not shown: screen readers read it, and everyone else sees on
 * the page what has changed.
 */
type Tone = 'success' | 'danger' | 'spoken';

/** Announces the result of an action. */
type Announce = (text: string, tone?: Tone) => void;

const SHOWN_MS = 8_000;

const ToastContext = createContext<{ announce: Announce; dismiss: () => void }>({
  announce: () => undefined,
  dismiss: () => undefined,
});

/** Returns the function that announces results. */
export const useToast = (): Announce => useContext(ToastContext).announce;

/** Returns the function that removes what is announced: a dialog would be between the user and the message. */
export const useDismissal = (): (() => void) => useContext(ToastContext).dismiss;

interface Toast {
  id: number;
  text: string;
  tone: Tone;
}

/** Shows results at the edge of the page, in live regions that exist before their texts. */
export function ToastProvider({ children }: { children: ComponentChildren }): VNode {
  const [toast, setToast] = useState<Toast>();
  const announce = useCallback<Announce>((text, tone = 'success') => {
    setToast((before) => ({ id: (before?.id ?? 0) + 1, text, tone }));
  }, []);
  const dismiss = useCallback(() => setToast(undefined), []);
  const value = useMemo(() => ({ announce, dismiss }), []);
  useEffect(() => {
    if (!toast || toast.tone === 'danger') return undefined;
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const shown = (tone: Tone): VNode | false =>
    toast?.tone === tone && <ToastCard key={toast.id} {...toast} onClose={dismiss} />;
  return (
    <ToastContext.Provider value={value}>
      {children}
      <div class="toasts">
        <div role="status">
          {shown('success')}
          {toast?.tone === 'spoken' && (
            <p key={toast.id} class="visually-hidden">
              {toast.text}
            </p>
          )}
        </div>
        <div role="alert">{shown('danger')}</div>
      </div>
    </ToastContext.Provider>
  );
}

const ToastCard = ({ text, tone, onClose }: Toast & { onClose: () => void }): VNode => (
  <div class={`toast ${tone}`}>
    <p>{text}</p>
    <button type="button" class="toast-close" aria-label={messages.closeMessage} onClick={onClose}>
      ×
    </button>
  </div>
);
