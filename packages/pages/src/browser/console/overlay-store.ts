import type { Failure } from '../failure.js';
import { Store } from './store.js';

/** A field of a dialog. */
export interface DialogField {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'tel';
  /** True for a box that can be checked: its answer is `on`, or empty. */
  isCheck?: boolean;
  value?: string;
  hint?: string;
  isOptional?: boolean;
  maxLength?: number;
  options?: readonly { value: string; label: string }[];
  /** Values of which any number can be chosen: the answer has them with commas between them. */
  choices?: readonly string[];
  /** The only accepted value. */
  mustBe?: string;
  /** Reports whether the field is needed with these answers. Defaults to always. */
  isShown?: (answers: Answers) => boolean;
}

/** A question before an action: it names what happens. */
export interface Question {
  title: string;
  text: string;
  confirm: string;
  cancel?: string;
  isDanger?: boolean;
  fields?: readonly DialogField[];
  /** Reports whether the answers change anything. Defaults to always. */
  isReady?: (answers: Answers) => boolean;
  /** Returns a warning about the answers; undefined if there is none. */
  warning?: (answers: Answers) => string | undefined;
  /** Returns what a failure says about a field; undefined for the usual text. */
  explain?: (failure: Failure, answers: Answers) => Promise<Problem | undefined>;
}

export type Answers = Readonly<Record<string, string>>;

/** A fault of a field, with the record that it is about. */
export interface FieldProblem {
  text: string;
  link?: { href: string; text: string };
}

/** Why an action was not taken: a text for all of it, or for single fields. */
export interface Problem {
  text?: string;
  /** The records for which an action failed, each with its reason. */
  lines?: readonly string[];
  fields?: Readonly<Record<string, FieldProblem>>;
}

/** Takes the action. Resolves with undefined once it is taken. */
type Send = (answers: Answers) => Promise<Problem | undefined>;

/** A question that is shown, what it sends, and what ends it. */
export interface OpenQuestion {
  asked: Question;
  send: Send;
  close: (isDone: boolean) => void;
}

/** A secret that is shown once. */
export interface ShownSecret {
  title: string;
  lead: string;
  secret: string;
  copyLabel: string;
  /** The label of the button that says that the secret is stored. */
  doneLabel: string;
}

/** A link to open in a new tab, while it is valid. */
export interface ShownLink {
  title: string;
  text: string;
  href: string;
  label: string;
  /** Seconds until it is no longer valid. */
  seconds: number;
}

/** The progress of an action on several records. */
interface Progress {
  done: number;
  total: number;
}

interface Overlays {
  question: OpenQuestion | undefined;
  progress: Progress | undefined;
  stepUp: { needsFactor: boolean; done: (isConfirmed: boolean) => void } | undefined;
  secret: (ShownSecret & { onClose: () => void }) | undefined;
  link: (ShownLink & { onClose: () => void }) | undefined;
  showsKeys: boolean;
  showsPalette: boolean;
  toasts: readonly { id: number; text: string; isFailure: boolean }[];
}

const store = new Store<Overlays>({
  question: undefined,
  progress: undefined,
  stepUp: undefined,
  secret: undefined,
  link: undefined,
  showsKeys: false,
  showsPalette: false,
  toasts: [],
});
const set = (changes: Partial<Overlays>): void => store.set(changes);

export const useOverlays = (): Overlays => store.use();

/** Asks before an action, until it is taken or the user cancels. @returns whether it was taken. */
export const ask = (asked: Question, send: Send): Promise<boolean> =>
  new Promise((resolve) => {
    const close = (isDone: boolean): void => {
      set({ question: undefined });
      resolve(isDone);
    };
    set({ question: { asked, send, close } });
  });

export const showProgress = (progress: Progress | undefined): void => set({ progress });

/** Asks for another proof of identity. @returns whether the session was raised. */
export const askForStepUp = (needsFactor: boolean): Promise<boolean> =>
  new Promise((resolve) => {
    const done = (isConfirmed: boolean): void => {
      set({ stepUp: undefined });
      resolve(isConfirmed);
    };
    set({ stepUp: { needsFactor, done } });
  });

/** Shows a secret. Resolves when it is stored. */
export const showSecret = (shown: ShownSecret): Promise<void> =>
  new Promise((resolve) => {
    const onClose = (): void => {
      set({ secret: undefined });
      resolve();
    };
    set({ secret: { ...shown, onClose } });
  });

/** Shows a link. Resolves when it was followed, has expired, or was closed. */
export const showLink = (shown: ShownLink): Promise<void> =>
  new Promise((resolve) => {
    const onClose = (): void => {
      set({ link: undefined });
      resolve();
    };
    set({ link: { ...shown, onClose } });
  });

export const showKeys = (showsKeys: boolean): void => set({ showsKeys });

export const showPalette = (showsPalette: boolean): void => set({ showsPalette });

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
