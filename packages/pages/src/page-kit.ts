import type { Auth } from '@latchkey/core';
import { lookOf } from './brand.js';
import { loadPageAssets } from './page-assets.js';
import type { PageKit } from './page-frame.js';

const kits = new WeakMap<Auth, PageKit>();

/** Returns brand and files of the pages; they are loaded once. @throws Error when the scripts have not been built. */
export function pageKitOf(auth: Auth): PageKit {
  const loaded = kits.get(auth);
  if (loaded) return loaded;
  const brand = lookOf(auth.settings.brand, auth.brandColours);
  const kit = { brand, assets: loadPageAssets(brand) };
  kits.set(auth, kit);
  return kit;
}
