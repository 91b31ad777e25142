import { client } from './client.js';
import type { Failure } from './failure.js';
import { pageData, type Provider } from './page-data.js';
import { mayHaveSession, untilPageIsLeft } from './session.js';
import { tabStorage } from './tab-storage.js';

/** A sign-in by another service that this tab has begun. */
export interface ExternalFlow {
  connectionId: string;
  /** The name of the service. */
  label: string;
  purpose: 'sign-in' | 'link' | 'step-up';
  /** The address of the page on which it was begun. */
  from: string;
  /** The target after the sign-in, validated by the service. */
  target: string | undefined;
}

/** With the secret that proves that this tab has begun it (RFC 7636, section 4.1). */
export type KeptFlow = ExternalFlow & { verifier: string };

/** An account there that waits until its user has signed in here as before. */
export type PendingLink = KeptFlow & { token: string };

const FLOW_KEY = 'latchkey.external.';
const LINK_KEY = 'latchkey.external-link';
const NOTE_KEY = 'latchkey.external-note';

/** Returns the flow that this page begins at a service. */
export const flowAt = ({ id, label }: Provider, purpose: ExternalFlow['purpose']): ExternalFlow => ({
  connectionId: id,
  label,
  purpose,
  from: location.pathname + location.search + location.hash,
  target: pageData.returnTo ?? pageData.webApp,
});

/** Goes to the service. Returns only if that fails. */
export async function beginFlow(flow: ExternalFlow): Promise<{ ok: false; error: Failure }> {
  const { connectionId, purpose } = flow;
  const started = await sendSignIn(purpose, () => client.external.start({ connectionId, purpose }));
  if (!started.ok) return started;
  const { authorizationUrl, verifier } = started.data;
  const state = new URL(authorizationUrl).searchParams.get('state') ?? '';
  write(FLOW_KEY + state, { ...flow, verifier } satisfies KeptFlow);
  location.assign(authorizationUrl);
  return untilPageIsLeft();
}

/** Sends a step of a flow. A session that has ended is refused and forgotten: a sign-in needs none, so its step is sent again. */
export async function sendSignIn<Outcome extends { ok: boolean }>(
  purpose: ExternalFlow['purpose'],
  send: () => Promise<Outcome>,
): Promise<Outcome> {
  const hadSession = mayHaveSession();
  const outcome = await send();
  const isInTheWay = !outcome.ok && purpose === 'sign-in' && hadSession && !mayHaveSession();
  return isInTheWay ? send() : outcome;
}

/** Returns the flow of a response, once. */
export function takeFlow(state: string): KeptFlow | undefined {
  const key = FLOW_KEY + state;
  const flow = read(key) as KeptFlow | undefined;
  tabStorage.removeItem(key);
  return flow;
}

export const pendingLink = {
  read: () => read(LINK_KEY) as PendingLink | undefined,
  write: (link: PendingLink): void => write(LINK_KEY, link),
  clear: (): void => tabStorage.removeItem(LINK_KEY),
};

/** The outcome of a flow that the page on which it was begun has yet to announce. */
type Note = Pick<ExternalFlow, 'purpose' | 'label'>;

export const leaveNote = ({ purpose, label }: Note): void => write(NOTE_KEY, { purpose, label });

export function takeNote(): Note | undefined {
  const note = read(NOTE_KEY) as Note | undefined;
  tabStorage.removeItem(NOTE_KEY);
  return note;
}

const write = (key: string, value: object): void => tabStorage.setItem(key, JSON.stringify(value));

function read(key: string): unknown {
  const text = tabStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
}
