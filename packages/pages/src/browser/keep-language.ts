const PARAMETER = 'ui_locales';

/** Adds the languages that the address of this page asks for to the links to other pages. */
export function keepLanguage(): void {
  const wanted = new URLSearchParams(location.search).get(PARAMETER);
  if (wanted === null) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('main a[href]')) {
    const address = new URL(link.href);
    address.searchParams.set(PARAMETER, wanted);
    link.href = address.href;
  }
}

/** Returns the query of this page's address without anything but the languages. */
export function languageQuery(): string {
  const wanted = new URLSearchParams(location.search).get(PARAMETER);
  return wanted === null ? '' : `?${new URLSearchParams({ [PARAMETER]: wanted }).toString()}`;
}
