import { z } from 'zod';

/** What of the client data (WebAuthn Level 3 section 5.8.1) is looked at before a response is verified. */
export interface ClientData {
  challenge: string;
  origin: string;
  /** Whether the page was framed by another origin. */
  isEmbedded: boolean;
}

/** Keys that are not known pass: browsers add some on purpose. */
const clientData = z.object({
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.unknown().optional(),
  topOrigin: z.unknown().optional(),
});

/** The client data in its base64url form; undefined for what cannot be read. */
export function readClientData(encoded: string): ClientData | undefined {
  const parsed = clientData.safeParse(parseJson(encoded));
  if (!parsed.success) return undefined;
  const { challenge, origin, crossOrigin = false, topOrigin } = parsed.data;
  return { challenge, origin, isEmbedded: crossOrigin !== false || topOrigin !== undefined };
}

function parseJson(encoded: string): unknown {
  const bytes = Buffer.from(encoded, 'base64url');
  // Two decoders that forgive differently could read two different texts out of one.
  if (bytes.toString('base64url') !== encoded) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
