import type { JSX } from 'preact';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { agoText, exactText } from '../format.js';

/** How long ago something was; its tooltip has date and time. */
export const Ago = ({ at }: { at: string | null | undefined }): JSX.Element =>
  at === undefined || at === null ? (
    <span class="quiet">{shell.never}</span>
  ) : (
    <time dateTime={at} title={exactText(at)}>
      {agoText(at)}
    </time>
  );
