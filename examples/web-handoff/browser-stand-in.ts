export interface Visit {
  status: number;
  /** Where the browser was sent; undefined when it stays. */
  location: string | undefined;
  headers: Headers;
  text: string;
}

/** As much of a browser as the story needs: it keeps cookies and shows each redirect instead of following it. */
export class BrowserStandIn {
  /** By name. */
  readonly cookies = new Map<string, string>();

  async open(
    address: string,
    init: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Visit> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(cookie !== '' && { cookie }) };
    const response = await fetch(address, { method: init.method ?? 'GET', headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location, address).href,
      headers: response.headers,
      text: await response.text(),
    };
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
