import type { JSX } from 'preact';

/** An email address that breaks before its host, if it must. */
export function Email({ text }: { text: string }): JSX.Element {
  const at = text.lastIndexOf('@');
  return at < 0 ? (
    <>{text}</>
  ) : (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}
