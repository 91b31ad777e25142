const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Value = string | number | Markup | readonly Markup[];

/** HTML, made by the `markup` tag only, from literal text and escaped values. */
export class Markup {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static from(strings: TemplateStringsArray, values: readonly Value[]): Markup {
    return new Markup(String.raw({ raw: strings }, ...values.map(rendered)));
  }

  toString(): string {
    return this.#text;
  }
}

/** Returns HTML. Escapes every value for elements and quoted attributes, except markup and lists of it. */
export const markup = (strings: TemplateStringsArray, ...values: Value[]): Markup =>
  Markup.from(strings, values);

function rendered(value: Value): string {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value.join('');
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
