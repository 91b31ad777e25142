import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { enrolmentMessages, secondFactorMessages as messages } from '../../messages/en/second-factor.js';
import { CopyButton } from './copy-button.js';

/** Shows the secret of a new authenticator app: as QR code, as text, and as a link for an app on this device. */
export function Enrolment({ secret, otpauthUri, qrSvg }: Schemas['TotpEnrolment']): VNode {
  return (
    <>
      <p class="lead">{messages.scan}</p>
      <QrCode svg={qrSvg} />
      <p class="lead">{messages.cannotScan}</p>
      <SecretKey secret={secret} otpauthUri={otpauthUri} />
    </>
  );
}

/** The secret as text, to be copied, and as a link for an app on this device. */
export function SecretKey({
  secret,
  otpauthUri,
}: Pick<Schemas['TotpEnrolment'], 'secret' | 'otpauthUri'>): VNode {
  const shown = useRef<HTMLElement>(null);
  return (
    <>
      <p class="secret">
        <code ref={shown}>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      </p>
      <div class="copy-row">
        <CopyButton text={secret} label={enrolmentMessages.copyKey} shownIn={() => shown.current} />
        <a class="button secondary" href={otpauthUri}>
          {enrolmentMessages.openApp}
        </a>
      </div>
    </>
  );
}

/** Shows SVG as an image: then it runs no scripts and loads nothing. Its address is forgotten with it. */
export function QrCode({ svg }: { svg: string }): VNode {
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    if (image.current) image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [svg]);
  return <img ref={image} class="qr-code" alt={enrolmentMessages.qrCode} />;
}
