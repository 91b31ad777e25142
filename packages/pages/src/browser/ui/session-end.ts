import { useEffect, useState } from 'preact/hooks';
import type { SignedOutReason } from '@latchkey/client';
import { client } from '../client.js';

/** Returns why the session has ended, once it has: by this page, another tab or the service. */
export function useSessionEnd(): SignedOutReason | undefined {
  const [reason, setReason] = useState(endOf);
  useEffect(() => client.session.subscribe(() => setReason(endOf)), []);
  return reason;
}

function endOf(): SignedOutReason | undefined {
  const { state } = client.session;
  return state.status === 'signed_out' ? state.reason : undefined;
}
