import type { Changes } from './webauthn-changes.js';

/** Returns the client data that an authenticator signs (WebAuthn Level 3 section 5.8.1). */
export interface ClientData {
  type: 'webauthn.create' | 'webauthn.get';
  challenge: string;
  origin: string;
}

/** Its JSON, with members in the order of section 5.8.1.1 and no white space. */
export function collectClientData(
  { type, challenge, origin }: ClientData,
  { clientData, clientDataJSON }: Changes,
): Buffer {
  const right = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }));
  return clientDataJSON?.(right) ?? right;
}
