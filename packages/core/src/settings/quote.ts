const MOST_SHOWN = 80;

/** Quotes a text for a message: control characters escaped, long text truncated, passwords in addresses hidden. */
export function quote(text: string): string {
  const open = withoutCredentials(text);
  return JSON.stringify(open.length > MOST_SHOWN ? `${open.slice(0, MOST_SHOWN)}…` : open);
}

/** Hides credentials in addresses: a setting that is not secret may contain a password by mistake. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/\S*@/g, '//(hidden)@');
}
