import { Store } from './store.js';

/** A field of a dialog. */
export interface DialogField {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'tel';
  value?: string;
  hint?: string;
  isOptional?: boolean;
  maxLength?: number;
  options?: readonly { value: string; label: string }[];
  /** The only accepted value. */
  mustBe?: string;
}

/** A question before an action: it names what happens. */
export interface Question {
  title: string;
  text: string;
  confirm: string;
  cancel?: string;
  isDanger?: boolean;
  fields?: readonly DialogField[];
}

export type Answers = Readonly<Record<string, string>>;

interface Toast {
  id: number;
  text: string;
  isFailure: boolean;
}

interface Overlays {
  question: { asked: Question; answer: (answers: Answers | undefined) => void } | undefined;
  stepUp: { needsFactor: boolean; done: (isConfirmed: boolean) => void } | undefined;
  showsKeys: boolean;
  toasts: readonly Toast[];
}

const store = new Store<Overlays>({ question: undefined, stepUp: undefined, showsKeys: false, toasts: [] });
const set = (changes: Partial<Overlays>): void => store.set(changes);

export const useOverlays = (): Overlays => store.use();

/** Asks before an action. Resolves with the fields, or undefined when the user cancels. */
export const ask = (asked: Question): Promise<Answers | undefined> =>
  new Promise((resolve) => {
    const answer = (answers: Answers | undefined): void => {
      set({ question: undefined });
      resolve(answers);
    };
    set({ question: { asked, answer } });
  });

/** Asks for another proof of identity. @returns whether the session was raised. */
export const askForStepUp = (needsFactor: boolean): Promise<boolean> =>
  new Promise((resolve) => {
    const done = (isConfirmed: boolean): void => {
      set({ stepUp: undefined });
      resolve(isConfirmed);
    };
    set({ stepUp: { needsFactor, done } });
  });

export const showKeys = (showsKeys: boolean): void => set({ showsKeys });

const TOAST_MS = 6000;
const MOST_TOASTS = 3;
let lastToast = 0;

/** Reports the outcome of an action. Failures stay until they are closed. */
export function toast(text: string, isFailure = false): void {
  const id = ++lastToast;
  set({ toasts: [...store.current.toasts, { id, text, isFailure }].slice(-MOST_TOASTS) });
  if (!isFailure) setTimeout(() => closeToast(id), TOAST_MS);
}

export const closeToast = (id: number): void =>
  set({ toasts: store.current.toasts.filter((each) => each.id !== id) });
