const MOST_SHOWN = 80;

/** A text for a message: in quotes, control characters escaped, cut when long, passwords of addresses hidden. */
export function quote(text: string): string {
  const open = withoutCredentials(text);
  return JSON.stringify(open.length > MOST_SHOWN ? `${open.slice(0, MOST_SHOWN)}…` : open);
}

/** An address in a setting that is no secret may still hold a password by mistake. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/\S*@/g, '//(hidden)@');
}
