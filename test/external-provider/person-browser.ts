const MOST_STEPS = 20;

/** A browser without scripts: follows redirects, keeps cookies, and fills in the forms of the provider. */
export class PersonBrowser {
  readonly #cookies = new Map<string, string>();

  /** Opens an address as a person, until the provider sends them to one that begins with `end`. */
  async signIn(address: string, person: string, end: string): Promise<URL> {
    let [url, form]: [string, Record<string, string> | undefined] = [address, undefined];
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const { location, body } = await this.#request(url, form);
      if (location?.startsWith(end)) return new URL(location);
      if (location !== undefined) [url, form] = [location, undefined];
      else {
        const found = formOf(body, url);
        const asks = found.fields.prompt === 'login' ? { login: person, password: 'any' } : {};
        [url, form] = [found.action, { ...found.fields, ...asks }];
      }
    }
    throw new Error('The provider does not send the person back.');
  }

  /** Signs out at the provider, and confirms that. */
  async signOut(providerUrl: string): Promise<void> {
    const { body } = await this.#request(`${providerUrl}/session/end`, undefined);
    const { action, fields } = formOf(body, providerUrl);
    await this.#request(action, { ...fields, logout: 'yes' });
  }

  async #request(
    url: string,
    form: Record<string, string> | undefined,
  ): Promise<{ location: string | undefined; body: string }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const body = await response.text();
    if (response.status >= 400) throw new Error(`${response.status} of ${url}: ${body.slice(0, 300)}`);
    return { location: location === null ? undefined : new URL(location, url).href, body };
  }
}

function formOf(html: string, url: string): { action: string; fields: Record<string, string> } {
  const [, action] = /<form[^>]*action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) throw new Error(`There is no form at ${url}: ${html.slice(0, 300)}`);
  const inputs = html.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g);
  const fields = Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
  return { action: new URL(action.replaceAll('&amp;', '&'), url).href, fields };
}
