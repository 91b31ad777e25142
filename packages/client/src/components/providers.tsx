import { useEffect, useState, type ReactElement } from 'react';
import type { ExternalOutcome } from '../account/external.js';
import type { ResponseData } from '../api/routes.js';
import { useClient } from '../react/provider.js';
import { SecondaryButton } from './form.js';
import { errorText, type Texts } from './texts.js';

type Connection = ResponseData<'GET', '/auth/external'>[number];

/** A flow that this tab has begun. */
interface KeptFlow {
  label: string;
  verifier: string;
}

const keyOf = (state: string): string => `latchkey.external.${state}`;
/** The beginning of states of the service; an app may have others. */
const STATE_PREFIX = 'lks_';

/** One button for each service by which users can sign in. */
export function ProviderButtons({
  callbackUrl,
  texts,
  onProblem,
}: {
  /** The address to which the services send the browser back, without the connection. */
  callbackUrl: string;
  texts: Texts;
  onProblem: (text: string) => void;
}): ReactElement {
  const client = useClient();
  const [connections, setConnections] = useState<Connection[]>([]);
  useEffect(() => {
    void client.external.connections().then(({ data }) => setConnections(data ?? []));
  }, [client]);

  async function begin({ id, label }: Connection): Promise<void> {
    const redirectUri = `${callbackUrl}/${id}`;
    const { data, error } = await client.external.start({ connectionId: id, redirectUri });
    if (error) onProblem(errorText(texts, error));
    else {
      const { authorizationUrl, verifier } = data;
      const state = new URL(authorizationUrl).searchParams.get('state') ?? '';
      sessionStorage.setItem(keyOf(state), JSON.stringify({ label, verifier } satisfies KeptFlow));
      location.assign(authorizationUrl);
    }
  }

  return (
    <>
      {connections.map((connection) => (
        <SecondaryButton key={connection.id} onPress={() => void begin(connection)}>
          {texts.continueWith.replace('{label}', () => connection.label)}
        </SecondaryButton>
      ))}
    </>
  );
}

/**
 * Ends the sign-in whose response is in the address of the app, once, and clears the address.
 * @returns true until that is done.
 */
export function useProviderResponse({
  texts,
  onOutcome,
  onProblem,
}: {
  texts: Texts;
  onOutcome: (outcome: ExternalOutcome, flow: KeptFlow) => void;
  onProblem: (text: string) => void;
}): boolean {
  const client = useClient();
  const [isEnding, setEnding] = useState(false);
  useEffect(() => {
    const taken = takeResponse();
    if (!taken) return;
    const { flow, response } = taken;
    if (!flow) {
      onProblem(texts.otherTab);
      return;
    }
    setEnding(true);
    void client.external.finish({ ...response, verifier: flow.verifier }).then(({ data, error }) => {
      setEnding(false);
      if (data) onOutcome(data, flow);
      else if (error.code !== 'unauthorized') onProblem(errorText(texts, error));
      else onProblem(error.reason === 'external_sign_in_cancelled' ? texts.cancelled : texts.notConfirmed);
    });
  }, [client]);
  return isEnding;
}

/** Reads the response from the address, and removes it there. */
function takeResponse() {
  const query = new URLSearchParams(location.search);
  const state = query.get('state') ?? '';
  if (!state.startsWith(STATE_PREFIX)) return undefined;
  history.replaceState(history.state, '', location.pathname + location.hash);
  const kept = sessionStorage.getItem(keyOf(state));
  sessionStorage.removeItem(keyOf(state));
  const given = ['code', 'error', 'iss'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const response = {
    state,
    ...(Object.fromEntries(given) as { code?: string; error?: string; iss?: string }),
  };
  return { flow: kept === null ? undefined : (JSON.parse(kept) as KeptFlow), response };
}
