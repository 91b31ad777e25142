import { useEffect, useState } from 'preact/hooks';
import { appData } from '../app-data.js';

const ALL_VIEWS = ['profile', 'security', 'sessions', 'keys', 'data'] as const;

export type View = (typeof ALL_VIEWS)[number];

/** The views of the page, by the fragment of its address. */
export const VIEWS = ALL_VIEWS.filter((view) => view !== 'keys' || appData.personalKeys);

const current = (): View => VIEWS.find((view) => `#${view}` === location.hash) ?? 'profile';

/** Returns the view of the address. */
export function useView(): View {
  const [view, setView] = useState(current);
  useEffect(() => {
    const follow = (): void => setView(current());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return view;
}
