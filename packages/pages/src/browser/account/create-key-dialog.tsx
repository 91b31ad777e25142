import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { apiKeyMessages as messages } from '../../messages/en/api-keys.js';
import { uiMessages } from '../../messages/en/ui.js';
import { explainKeyFailure, keyFailureText } from '../api-keys/key-methods.js';
import { DEFAULT_LIFETIME, lifetimeOf, lifetimeOptions } from '../api-keys/lifetimes.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { CheckList } from '../ui/check-list.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { Field, SelectField } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Notice } from '../ui/notice.js';
import { useGuarded } from '../ui/step-up.js';
import { useForm, type FormState } from '../ui/use-form.js';
import { useLoaded } from '../ui/use-loaded.js';
import { useAccount } from './me.js';

type KeyField = 'name' | 'companyId' | 'rights' | 'expiresIn';

/** The chosen modules and permissions of a key. */
interface ChosenRights {
  modules: string[];
  permissions: string[];
}

const NONE: ChosenRights = { modules: [], permissions: [] };
const RIGHTS = [
  ['all', messages.allRights],
  ['chosen', messages.chosenRights],
] as const;

/** Asks for the name of a key, where it works, its rights there, and its end. */
export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (text: string) => Promise<void>;
  onClose: () => void;
}): VNode {
  const guarded = useGuarded();
  const [chosen, setChosen] = useState(NONE);
  const form = useForm<KeyField>({
    initial: { name: '', companyId: '', rights: 'all', expiresIn: DEFAULT_LIFETIME },
    explain: explainKeyFailure,
    submit: async ({ name, companyId, rights, expiresIn }) => {
      const scope = companyId === '' ? {} : { companyId, ...(rights === 'chosen' && chosen) };
      const body = { name: name.trim(), expiresIn: lifetimeOf(expiresIn), ...scope };
      const { data, error } = await guarded(() => client.apiKeys.create(body));
      if (error) return error;
      await onCreated(data.key);
      return undefined;
    },
  });
  const { companyId, rights } = form.values;
  return (
    <Dialog title={messages.createTitle} onClose={onClose}>
      <Form form={form} label={messages.createTitle}>
        <NameAndEnd form={form} />
        <Place form={form} onMoved={() => setChosen(NONE)} />
        {companyId !== '' && rights === 'chosen' && (
          <RightsChoice key={companyId} companyId={companyId} chosen={chosen} onChange={setChosen} />
        )}
        <Actions>
          <Button onPress={onClose}>{uiMessages.cancel}</Button>
          <SubmitButton form={form}>{messages.createAction}</SubmitButton>
        </Actions>
      </Form>
    </Dialog>
  );
}

const NameAndEnd = ({ form }: { form: FormState<KeyField> }): VNode => (
  <>
    <Field
      form={form}
      name="name"
      label={messages.name}
      hint={messages.nameHint}
      autocomplete="off"
      maxLength={100}
      isFirst
    />
    <SelectField
      form={form}
      name="expiresIn"
      label={messages.lifetime}
      hint={messages.lifetimeHint}
      autocomplete="off"
      options={lifetimeOptions()}
    />
  </>
);

/** The company in which the key works, and whether its rights are cut. Nothing for a user without companies. */
function Place({
  form,
  onMoved,
}: {
  form: FormState<KeyField>;
  /** Rights of one company are none of another. */
  onMoved: () => void;
}): VNode | null {
  const { companyMemberships } = useAccount().me;
  const companies = companyMemberships.filter(({ isActive }) => isActive);
  if (companies.length === 0) return null;
  const moving: FormState<KeyField> = {
    ...form,
    set: (name, value) => {
      form.set(name, value);
      onMoved();
    },
  };
  return (
    <>
      <SelectField
        form={moving}
        name="companyId"
        label={messages.company}
        hint={messages.companyHint}
        autocomplete="off"
        options={[['', messages.noCompany], ...companies.map(companyOption)]}
      />
      {form.values.companyId !== '' && (
        <SelectField
          form={form}
          name="rights"
          label={messages.rights}
          hint={messages.rightsHint}
          autocomplete="off"
          options={RIGHTS}
        />
      )}
    </>
  );
}

const companyOption = ({ companyId }: Schemas['CompanyMembership']) =>
  [companyId, messages.inCompany(companyId)] as const;

/** The rights of the user in the company now, each of which may be in the key. */
function RightsChoice({
  companyId,
  chosen,
  onChange,
}: {
  companyId: string;
  chosen: ChosenRights;
  onChange: (chosen: ChosenRights) => void;
}): VNode | null {
  const { data, failure } = useLoaded(() => client.access(companyId));
  if (failure) return <Notice>{keyFailureText(failure)}</Notice>;
  if (!data) return <p class="hint">{uiMessages.loading}</p>;
  const kinds = (['modules', 'permissions'] as const).filter((kind) => data[kind].length > 0);
  if (kinds.length === 0) return <Notice tone="info">{messages.noRights}</Notice>;
  return (
    <>
      {kinds.map((kind) => (
        <CheckList
          key={kind}
          legend={messages[kind]}
          options={data[kind]}
          chosen={chosen[kind]}
          onChange={(values) => onChange({ ...chosen, [kind]: values })}
        />
      ))}
    </>
  );
}
