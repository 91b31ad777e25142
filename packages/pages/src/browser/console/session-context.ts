import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { may, mayOn, type Action } from './rights.js';
import type { Me } from './types.js';

/** The signed-in user, for every view. */
export const Session = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = useContext(Session);
  if (!me) throw new TypeError('The console is shown to signed-in users only.');
  return me;
}

/** Returns functions that say what the signed-in user may do. */
export function useRights(): {
  may: (action: Action) => boolean;
  mayOn: (action: Action, target: Pick<Me, 'id' | 'globalRole'>) => boolean;
} {
  const me = useMe();
  return { may: (action) => may(me, action), mayOn: (action, target) => mayOn(me, action, target) };
}
