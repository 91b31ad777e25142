type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const ofTab = storageOfTab();

/** The storage of this tab, or of this page alone in a browser that blocks storage. */
export const tabStorage: TabStorage = ofTab ?? storageOfPage();

/** False in a browser that blocks storage. */
export const outlivesPage = ofTab !== undefined;

function storageOfTab(): TabStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

function storageOfPage(): TabStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
