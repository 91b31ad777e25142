export interface PageLoad {
  status: number;
  /** The redirect target, if any. */
  location: string | undefined;
  headers: Headers;
  text: string;
}

/** A minimal browser: it keeps cookies and returns each redirect instead of following it. */
export class SimulatedBrowser {
  /** Values by name. */
  readonly cookies = new Map<string, string>();

  async open(
    address: string,
    init: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<PageLoad> {
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
