import { z } from 'zod';
import { bytesOfBase64url } from '../kernel/base64url.js';

/** The client data (WebAuthn Level 3 section 5.8.1) that is read before a response is verified. */
interface ClientData {
  challenge: string;
  origin: string;
  /** True if the page was framed by another origin. */
  isEmbedded: boolean;
}

/** Schema of the client data; unknown keys are accepted, because browsers add some on purpose. */
const clientData = z.object({
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.unknown().optional(),
  topOrigin: z.unknown().optional(),
});

/** Returns the client data of its base64url form; undefined if it cannot be read. */
export function readClientData(encoded: string): ClientData | undefined {
  const parsed = clientData.safeParse(parseJson(encoded));
  if (!parsed.success) return undefined;
  const { challenge, origin, crossOrigin = false, topOrigin } = parsed.data;
  return { challenge, origin, isEmbedded: crossOrigin !== false || topOrigin !== undefined };
}

function parseJson(encoded: string): unknown {
  // Decoders that tolerate different faults could read different texts from the same bytes.
  const bytes = bytesOfBase64url(encoded);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
