import { useEffect, useState } from 'preact/hooks';

/** The views of the page, by the fragment of its address. */
export const VIEWS = ['profile', 'security', 'sessions', 'data'] as const;

export type View = (typeof VIEWS)[number];

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
