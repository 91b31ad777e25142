import { describe, expect, it } from 'vitest';
import { assemble, made } from './assemble.js';

class Engine {
  readonly power: number;
  constructor({ fuel }: { fuel: number }) {
    this.power = fuel * 2;
  }
}

class Car {
  readonly #deps: { engine: Engine };
  constructor(deps: { engine: Engine }) {
    this.#deps = deps;
  }
  get power(): number {
    return this.#deps.engine.power;
  }
}

describe('the table of parts', () => {
  it('parts are built in the order in which they need one another, each once', () => {
    let built = 0;
    const recipes = {
      car: made(Car),
      name: ({ car }: { car: Car }) => `${String(car.power)} hp`,
      engine: (deps: { fuel: number }) => {
        built += 1;
        return new Engine(deps);
      },
    };
    const parts = assemble({ fuel: 3 }, recipes);
    expect(parts.name).toBe('6 hp');
    expect(parts.car.power).toBe(6);
    expect(built).toBe(1);
  });

  it('every part is built at once, so that wrong wiring is an error of the construction', () => {
    const fail = (): never => {
      throw new RangeError('no fuel');
    };
    expect(() => assemble({}, { engine: fail })).toThrow('no fuel');
  });

  it('parts that need each other are reported with the way between them', () => {
    const recipes = {
      hen: ({ egg }: { egg: string }) => egg,
      egg: ({ hen }: { hen: string }) => hen,
    };
    expect(() => assemble({}, recipes)).toThrow('Parts need each other: hen → egg → hen');
  });

  it('the compiler rejects a part that is missing and one of another type', () => {
    const [car, engine] = [{ car: made(Car) }, { engine: made(Engine) }];
    // @ts-expect-error the engine is missing
    const missing = () => assemble({ fuel: 1 }, car);
    // @ts-expect-error fuel is a number
    const wrong = () => assemble({ fuel: 'much' }, engine);
    expect([missing, wrong]).toHaveLength(2);
  });
});
