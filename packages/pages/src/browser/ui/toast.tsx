import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { uiMessages as messages } from '../../messages/en/ui.js';

/** Announces the result of an action. A failure stays until it is closed. */
type Announce = (text: string, tone?: 'success' | 'danger') => void;

const SHOWN_MS = 8_000;

const ToastContext = createContext<Announce>(() => undefined);

/** Returns the function that announces results. */
export const useToast = (): Announce => useContext(ToastContext);

interface Toast {
  id: number;
  text: string;
  tone: 'success' | 'danger';
}

/** Shows results at the edge of the page, in live regions that exist before their texts. */
export function ToastProvider({ children }: { children: ComponentChildren }): VNode {
  const [toast, setToast] = useState<Toast>();
  const announce = useCallback<Announce>((text, tone = 'success') => {
    setToast((before) => ({ id: (before?.id ?? 0) + 1, text, tone }));
  }, []);
  useEffect(() => {
    if (toast?.tone !== 'success') return undefined;
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const shown = (tone: Toast['tone']): VNode | false =>
    toast?.tone === tone && <ToastCard key={toast.id} {...toast} onClose={() => setToast(undefined)} />;
  return (
    <ToastContext.Provider value={announce}>
      {children}
      <div class="toasts">
        <div role="status">{shown('success')}</div>
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
