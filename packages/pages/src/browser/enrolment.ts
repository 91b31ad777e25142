import type { Schemas } from '@latchkey/client';
import { onAction } from './actions.js';
import { copy } from './copy.js';
import { element, fill } from './dom.js';

const image = element('[data-qr-code]', HTMLImageElement);
const link = element('[data-otpauth]', HTMLAnchorElement);
const text = element('[data-text=secret]', HTMLElement);

/** Shows the secret of a new authenticator app: as QR code, as text, and as a link for an app on this device. */
export async function showEnrolment({ secret, otpauthUri, qrSvg }: Schemas['TotpEnrolment']): Promise<void> {
  fill('copy-status', '');
  fill('secret', (secret.match(/.{1,4}/g) ?? []).join(' '));
  link.setAttribute('href', otpauthUri);
  await showSvg(qrSvg);
}

/** Shows SVG as an image: then it runs no scripts and loads nothing. */
async function showSvg(svg: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  image.src = address;
  // Without the image there is still the text.
  await image.decode().catch(() => undefined);
  URL.revokeObjectURL(address);
}

/** Removes the secret from the page. */
export function clearEnrolment(): void {
  image.removeAttribute('src');
  link.removeAttribute('href');
  fill('secret', '');
}

onAction('copy-secret', () => copy(text.textContent.replaceAll(' ', ''), text));
