import { expect, it } from 'vitest';
import { LruMap } from './lru-map.js';

it('a full map drops what was not used for longest', () => {
  const map = new LruMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
});
