import { renderSVG } from 'uqr';

/** Returns the QR code of a text as SVG, black on white in every colour scheme, because cameras read no other. */
export const qrCodeSvg = (text: string): string => renderSVG(text, { ecc: 'M', border: 4, pixelSize: 1 });
