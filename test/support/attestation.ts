import { isoCBOR } from '@simplewebauthn/server/helpers';
import { sha256 } from './authenticator-data.js';
import type { CoseKeyPair } from './cose-key-pair.js';
import type { Changes, RegistrationChanges } from './webauthn-changes.js';

/** The two halves of what an authenticator vouches for. */
export interface Collected {
  clientDataJSON: Buffer;
  authenticatorData: Buffer;
}

/** An assertion signature (WebAuthn Level 3 section 6.3.3, step 11), over the data and the hash of the client data. */
export async function signatureOf(own: CoseKeyPair, collected: Collected, changes: Changes): Promise<Buffer> {
  const right = Buffer.concat([collected.authenticatorData, sha256(collected.clientDataJSON)]);
  const signed = changes.signedBytes?.(right) ?? right;
  const signature = await (changes.signingKey ?? own).sign(signed);
  return changes.signature?.(signature) ?? signature;
}

/** An attestation object (section 6.5.4). */
export async function attestationObjectOf(
  own: CoseKeyPair,
  collected: Collected,
  changes: RegistrationChanges,
): Promise<Buffer> {
  const { attestation = 'none', format = attestation } = changes;
  const statement = attestation === 'none' ? new Map() : await selfAttestation(own, collected, changes);
  const right = isoCBOR.encode(
    new Map<string, string | Uint8Array | typeof statement>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', collected.authenticatorData],
    ]),
  );
  return changes.attestationObject?.(Buffer.from(right)) ?? Buffer.from(right);
}

/** Section 8.2, "self attestation in use": no certificate, signed by the new key itself. */
async function selfAttestation(own: CoseKeyPair, collected: Collected, changes: Changes) {
  return new Map<string, number | Uint8Array>([
    ['alg', own.algorithm],
    ['sig', await signatureOf(own, collected, changes)],
  ]);
}
