import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { companyMessages as messages, memberMessages } from '../../messages/en/company.js';
import { uiMessages } from '../../messages/en/ui.js';
import type { Query } from '../console/use-query.js';
import { Button } from '../ui/button.js';
import { Actions } from '../ui/dialog.js';
import { SubmitButton } from '../ui/form.js';
import { LoadState } from '../ui/load-state.js';
import type { FormState } from '../ui/use-form.js';
import type { Loaded } from '../ui/use-loaded.js';
import { keysIn } from './texts.js';

export const PAGE_SIZE = 25;
const NUMBERS = new Intl.NumberFormat(document.documentElement.lang);

interface ListedProps<Item> {
  query: Query<Item[]>;
  /** The text of an empty list. */
  empty: string;
  children: (items: Item[]) => ComponentChildren;
}

/** The state of a list: its items, the reason why there are none, or that it is on its way. */
export function Listed<Item>({ query, empty, children }: ListedProps<Item>): VNode | null {
  const { data, failure } = query;
  if (failure || data === undefined) {
    return <LoadState loaded={loadedOf(query)} />;
  }
  if (data.length === 0) return <p class="empty">{empty}</p>;
  return <>{children(data)}</>;
}

/** Returns a query as what a state of loading shows. */
export const loadedOf = <Data,>({
  data,
  failure,
  reload,
}: Pick<Query<Data>, 'data' | 'failure' | 'reload'>): Loaded<Data> => ({
  data,
  failure,
  reload: () => {
    reload();
    return Promise.resolve();
  },
});

/** Buttons for the pages of a list; nothing for a list of one page. */
export function Pager({
  page,
  total = 0,
  onPage,
}: {
  page: number;
  total: number | undefined;
  onPage: (page: number) => void;
}): VNode | null {
  const pages = Math.ceil(total / PAGE_SIZE);
  if (pages < 2 && page === 1) return null;
  return (
    <nav class="pager" aria-label={messages.pages}>
      <Button isDisabled={page === 1} onPress={() => onPage(page - 1)}>
        {messages.previous}
      </Button>
      <span>{messages.page(NUMBERS.format(page), NUMBERS.format(pages))}</span>
      <Button isDisabled={page >= pages} onPress={() => onPage(page + 1)}>
        {messages.next}
      </Button>
    </nav>
  );
}

/** A field that finds while one types. */
export function Search({
  label,
  value,
  onInput,
}: {
  label: string;
  value: string;
  onInput: (text: string) => void;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}

/** A filter of a list by one of a few values. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface KeysFieldProps<Name extends string> {
  form: FormState<Name>;
  name: Name;
  label: string;
  hint?: string | undefined;
  /** The keys to choose from; undefined if any may be typed. */
  keys: readonly string[] | undefined;
}

/** Keys of modules or permissions: to choose from those of the company, or to type where they are not known. */
export function KeysField<Name extends string>({
  form,
  name,
  label,
  hint,
  keys,
}: KeysFieldProps<Name>): VNode {
  const id = useId();
  const held = keysIn(form.values[name]);
  const notes = hint !== undefined && (
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
  );
  const describedBy = hint === undefined ? undefined : `${id}-hint`;
  if (keys === undefined) {
    return (
      <div class="field">
        <label for={id}>{label}</label>
        <input
          id={id}
          aria-describedby={describedBy}
          autocomplete="off"
          spellcheck={false}
          value={form.values[name]}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value)}
        />
        {notes}
      </div>
    );
  }
  const choose = (key: string, isChosen: boolean): void =>
    form.set(name, [...held.filter((each) => each !== key), ...(isChosen ? [key] : [])].join(' '));
  return (
    <fieldset class="field checks" aria-describedby={describedBy}>
      <legend>{label}</legend>
      {notes}
      <div class="check-list">
        {[...new Set([...keys, ...held])].toSorted().map((key) => (
          <Check key={key} label={key} isChecked={held.includes(key)} onChange={(is) => choose(key, is)} />
        ))}
        {keys.length === 0 && held.length === 0 && <p class="hint">{messages.noKeys}</p>}
      </div>
    </fieldset>
  );
}

/** A box to tick. */
export const Check = ({
  label,
  isChecked,
  onChange,
}: {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}): VNode => (
  <label class="check">
    <input
      type="checkbox"
      checked={isChecked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span>{label}</span>
  </label>
);

interface GrantFieldsProps<Name extends string> {
  form: FormState<Name | 'modules' | 'permissions'>;
  /** A hint for modules that are chosen from a list. */
  hint?: string | undefined;
  /** The keys to choose from; undefined if any may be typed. */
  modules: readonly string[] | undefined;
  permissions: readonly string[] | undefined;
}

/** The fields for modules and permissions. */
export const GrantFields = <Name extends string>({
  form,
  hint,
  modules,
  permissions,
}: GrantFieldsProps<Name>): VNode => (
  <>
    <KeysField
      form={form}
      name="modules"
      label={memberMessages.modules}
      hint={modules ? hint : memberMessages.typedHint}
      keys={modules}
    />
    <KeysField
      form={form}
      name="permissions"
      label={memberMessages.permissions}
      hint={permissions ? undefined : memberMessages.typedHint}
      keys={permissions}
    />
  </>
);

/** The box and the field for what a member may hand on. */
export const DelegationFields = <Name extends string>({
  form,
  modules,
}: {
  form: FormState<Name | 'invites' | 'grantable'>;
  modules: readonly string[] | undefined;
}): VNode => (
  <>
    <Check
      label={memberMessages.invites}
      isChecked={form.values.invites !== ''}
      onChange={(is) => form.set('invites', is ? 'yes' : '')}
    />
    {form.values.invites !== '' && (
      <KeysField form={form} name="grantable" label={memberMessages.grantable} keys={modules} />
    )}
  </>
);

interface FormActionsProps<Name extends string> {
  form: FormState<Name>;
  onClose: () => void;
  /** The text of the button. */
  children: string;
}

/** The way back from a form, and the button that sends it. */
export const FormActions = <Name extends string>({
  form,
  onClose,
  children,
}: FormActionsProps<Name>): VNode => (
  <Actions>
    <Button onPress={onClose}>{uiMessages.cancel}</Button>
    <SubmitButton form={form}>{children}</SubmitButton>
  </Actions>
);
