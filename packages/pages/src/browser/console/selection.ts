import { useState } from 'preact/hooks';

/** The records of a page that are selected. */
export interface Selection<Item> {
  /** In the order of the list. */
  chosen: readonly Item[];
  has: (item: Item) => boolean;
  /** Reports whether a record can be selected. */
  isOffered: (item: Item) => boolean;
  /** The name of a record, for its box. */
  nameOf: (item: Item) => string;
  toggle: (items: readonly Item[], isChosen: boolean) => void;
  clear: () => void;
}

interface Offer<Item> {
  isOffered: (item: Item) => boolean;
  nameOf: (item: Item) => string;
}

/** Keeps which records of a page are selected. A record that is no longer shown is no longer selected. */
export function useSelection<Item extends { id: string }>(
  items: readonly Item[] = [],
  offer: Offer<Item>,
): Selection<Item> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = items.filter((item) => ids.has(item.id) && offer.isOffered(item));
  const toggle = (changed: readonly Item[], isChosen: boolean): void => {
    const next = new Set(chosen.map(({ id }) => id));
    for (const { id } of changed) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    setIds(next);
  };
  return { ...offer, chosen, has: (item) => chosen.includes(item), toggle, clear: () => setIds(new Set()) };
}
