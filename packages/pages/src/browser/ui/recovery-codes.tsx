import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { recoveryCodesMessages as messages } from '../../messages/en/second-factor.js';
import { download } from '../download.js';
import { pageData } from '../page-data.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';

/** Shows new recovery codes, which can be copied, downloaded and printed. */
export function RecoveryCodes({ codes, email }: { codes: readonly string[]; email: string }): VNode {
  const list = useRef<HTMLUListElement>(null);
  const save = (): void => {
    const lines = [messages.codesOf(email, pageData.brand), messages.eachOnce, '', ...codes, ''];
    download(messages.fileName, lines.join('\n'), 'text/plain');
  };
  return (
    <>
      <ul class="codes" ref={list} aria-label={messages.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="copy-row">
        <CopyButton text={codes.join('\n')} label={messages.copy} shownIn={() => list.current} />
        <Button onPress={save}>{messages.download}</Button>
        <Button onPress={() => window.print()}>{messages.print}</Button>
      </div>
    </>
  );
}
