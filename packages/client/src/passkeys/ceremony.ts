/** A value of the browser's API as JSON: bytes are base64url. */
type Json = Record<string, unknown>;

interface Descriptor {
  id: string;
}

/** Asks the browser to create a passkey, by the options of the service. Returns the credential as JSON. */
export async function createPasskey(options: Json, signal?: AbortSignal): Promise<Json> {
  const { challenge, user, excludeCredentials } = options as {
    challenge: string;
    user: Json & Descriptor;
    excludeCredentials?: Descriptor[];
  };
  const publicKey = {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials?.map(withBytes),
  } as unknown as PublicKeyCredentialCreationOptions;
  const init = { publicKey, ...(signal && { signal }) };
  const credential = (await navigator.credentials.create(init)) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return credentialJson(credential, {
    attestationObject: textOf(response.attestationObject),
    transports: response.getTransports(),
  });
}

/** Asks the browser for a passkey. With `autofill` it is offered in the suggestions of a field instead of a dialog. */
export async function getPasskey(options: Json, autofill: boolean, signal?: AbortSignal): Promise<Json> {
  const { challenge, allowCredentials } = options as { challenge: string; allowCredentials?: Descriptor[] };
  const publicKey = {
    ...options,
    challenge: bytesOf(challenge),
    allowCredentials: allowCredentials?.map(withBytes),
  } as unknown as PublicKeyCredentialRequestOptions;
  const credential = (await navigator.credentials.get({
    publicKey,
    ...(autofill && { mediation: 'conditional' }),
    ...(signal && { signal }),
  })) as PublicKeyCredential;
  const { authenticatorData, signature, userHandle } = credential.response as AuthenticatorAssertionResponse;
  return credentialJson(credential, {
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    ...(userHandle && { userHandle: textOf(userHandle) }),
  });
}

function credentialJson(credential: PublicKeyCredential, response: Json): Json {
  const { id, rawId, type, authenticatorAttachment } = credential;
  return {
    id,
    rawId: textOf(rawId),
    type,
    ...(authenticatorAttachment !== null && { authenticatorAttachment }),
    clientExtensionResults: credential.getClientExtensionResults(),
    response: { clientDataJSON: textOf(credential.response.clientDataJSON), ...response },
  };
}

const withBytes = (descriptor: Descriptor): object => ({ ...descriptor, id: bytesOf(descriptor.id) });

/** RFC 4648 section 5. */
function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
