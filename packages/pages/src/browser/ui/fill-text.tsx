import type { ComponentChildren } from 'preact';

/** Returns a text whose `{name}` places are filled with what is rendered there. */
export const fillText = (text: string, values: Record<string, ComponentChildren>): ComponentChildren[] =>
  text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : values[part]));
