import { useEffect, useReducer } from 'preact/hooks';

/** State that several parts of the console share. */
export class Store<State extends object> {
  readonly #listeners = new Set<() => void>();
  #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get current(): State {
    return this.#state;
  }

  set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns the state, for a component that renders again when it changes. */
  use(): State {
    const [, render] = useReducer((count: number, _: undefined) => count + 1, 0);
    useEffect(() => {
      const before = this.#state;
      const listener = (): void => render(undefined);
      this.#listeners.add(listener);
      // The state may have changed between the rendering and this effect.
      if (before !== this.#state) listener();
      return () => void this.#listeners.delete(listener);
    }, []);
    return this.#state;
  }
}
