import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { useKeys } from '../keys.js';
import { setQuery, usePlace } from '../router.js';
import { Icon } from './icons.js';
import { inputType } from './input-type.js';

/** The filters above a list. They are in the address, so that reloading and sharing keeps them. */
export function Filters({
  names,
  children,
}: {
  names: readonly string[];
  children: ComponentChildren;
}): JSX.Element {
  const { query } = usePlace();
  const isFiltered = names.some((name) => query.has(name));
  const clear = (): void => setQuery(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <div class="filters" role="search">
      {children}
      {isFiltered && (
        <button type="button" class="button quiet" onClick={clear}>
          <Icon name="close" /> {shell.clear}
        </button>
      )}
    </div>
  );
}

/** Typing asks the service once it pauses. */
const PAUSE_MS = 250;

interface TextFilterProps {
  name: string;
  label: string;
  type?: 'search' | 'text' | 'datetime-local';
  /** True for the field that the key `/` goes to. */
  isSearch?: boolean;
  /** True if that key goes to a field that looks like the others. */
  isKeyed?: boolean;
  /** Values that are worth asking for. */
  pattern?: RegExp;
}

/** A filter by a text. */
export function TextFilter({
  name,
  label,
  type = 'text',
  isSearch = false,
  isKeyed = isSearch,
  pattern,
}: TextFilterProps): JSX.Element {
  const value = usePlace().query.get(name) ?? '';
  const [draft, setDraft] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const isValid = draft === '' || (pattern?.test(draft.trim()) ?? true);
  useEffect(() => setDraft(value), [value]);
  useEffect(() => {
    if (draft.trim() === value || !isValid) return undefined;
    const timer = setTimeout(() => setQuery({ [name]: draft.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, value]);
  useKeys(isKeyed ? { '/': () => field.current?.focus() } : {});
  return (
    <label class={`filter ${isSearch ? 'wide' : ''}`}>
      <span class={isSearch ? 'unseen' : 'filter-name'}>{label}</span>
      {isSearch && <Icon name="search" />}
      <input
        ref={field}
        {...inputType(type)}
        value={draft}
        placeholder={isSearch ? label : undefined}
        aria-invalid={isValid ? undefined : true}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={leaveOnEscape}
      />
      {isSearch && <kbd aria-hidden="true">/</kbd>}
    </label>
  );
}

function leaveOnEscape(event: TargetedKeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Escape') event.currentTarget.blur();
  if (event.key === 'ArrowDown')
    document.querySelector<HTMLElement>('main [data-record] [data-main]')?.focus();
  if (event.key === 'Escape' || event.key === 'ArrowDown') event.preventDefault();
}

interface ChoiceFilterProps {
  name: string;
  label: string;
  options: Readonly<Record<string, string>>;
  /** The value that a list has without the filter, in place of an empty one. */
  usual?: string;
}

/** A filter by one of several values. */
export function ChoiceFilter({ name, label, options, usual = '' }: ChoiceFilterProps): JSX.Element {
  const value = usePlace().query.get(name) ?? usual;
  const choose = (chosen: string): void => setQuery({ [name]: chosen === usual ? undefined : chosen });
  return (
    <label class="filter">
      <span class="filter-name">{label}</span>
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {usual === '' && <option value="">{shell.all}</option>}
        {Object.entries(options).map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Returns the value of a filter in the address if it is one of these. */
export function useChoice<Value extends string>(
  name: string,
  values: Readonly<Record<Value, string>>,
): Value | undefined {
  const value = usePlace().query.get(name) ?? '';
  return Object.hasOwn(values, value) ? (value as Value) : undefined;
}
