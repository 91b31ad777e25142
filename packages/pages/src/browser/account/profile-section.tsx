import type { VNode } from 'preact';
import type { RequestInput } from '@latchkey/client';
import { profileMessages as messages } from '../../messages/en/account.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import type { Me } from '../session.js';
import { Field, SelectField } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Section } from '../ui/section.js';
import { useToast } from '../ui/toast.js';
import { useForm, type Explanation, type FormState } from '../ui/use-form.js';
import { useAccount } from './me.js';
import { dialCodeOptions, phoneOf } from './phone.js';

/** Reports whether a field was refused. */
const refuses = (failure: Failure, pointer: string): boolean =>
  'fields' in failure && failure.fields.some((fault) => fault.pointer === pointer);

type ProfileField = 'fullName' | 'phonePrefix' | 'phoneNumber' | 'locale';

const valuesOf = (me: Me): Record<ProfileField, string> => ({
  fullName: me.name ?? '',
  phonePrefix: me.phonePrefix ?? '',
  phoneNumber: me.phoneNumber ?? '',
  locale: me.locale ?? '',
});

/** Returns the fields that differ from those of the user. */
function changesOf(values: Record<ProfileField, string>, me: Me): RequestInput<'PATCH', '/auth/me'>['body'] {
  const before = valuesOf(me);
  const changed = Object.entries(values).filter(
    ([name, value]) => value.trim() !== before[name as ProfileField],
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value.trim()]));
}

/** The languages, each by its own name. */
const LANGUAGES = [
  ['', messages.anyLanguage],
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const;

const INVALID: readonly (readonly [ProfileField, string])[] = [
  ['phonePrefix', messages.invalidPhonePrefix],
  ['phoneNumber', messages.invalidPhoneNumber],
];

function explain(failure: Failure): Explanation<ProfileField> | undefined {
  const refused = INVALID.find(([name]) => refuses(failure, `/${name}`));
  return refused && { field: refused[0], text: refused[1] };
}

/** Name, phone number and language. */
export function ProfileSection(): VNode {
  const { me, reload } = useAccount();
  const announce = useToast();
  const form = useForm<ProfileField>({
    initial: valuesOf(me),
    explain,
    submit: async (values) => {
      const phone = phoneOf(values.phonePrefix, values.phoneNumber);
      const body = changesOf({ ...values, ...phone }, me);
      if (Object.keys(body).length === 0) {
        announce(messages.unchanged);
        return undefined;
      }
      const { error } = await client.request('PATCH', '/auth/me', { body });
      if (error) return error;
      await reload();
      form.reset({ ...values, ...phone });
      announce(messages.saved);
      return undefined;
    },
  });
  return (
    <Section title={messages.title} lead={messages.lead}>
      <div class="panel-body">
        <Form form={form} label={messages.title}>
          <Field form={form} name="fullName" label={messages.name} autocomplete="name" maxLength={200} />
          <PhoneFields form={form} />
          <LanguageField form={form} />
          <div class="button-row">
            <SubmitButton form={form}>{messages.save}</SubmitButton>
          </div>
        </Form>
      </div>
    </Section>
  );
}

interface FieldsProps {
  form: FormState<ProfileField>;
}

const PhoneFields = ({ form }: FieldsProps): VNode => (
  <div class="form-columns">
    <SelectField
      form={form}
      name="phonePrefix"
      label={messages.phonePrefix}
      autocomplete="tel-country-code"
      options={dialCodeOptions(useAccount().me.phonePrefix ?? '')}
      isOptional
    />
    <Field
      form={form}
      name="phoneNumber"
      label={messages.phoneNumber}
      hint={messages.phoneNumberHint}
      autocomplete="tel"
      type="tel"
      isOptional
    />
  </div>
);

const LanguageField = ({ form }: FieldsProps): VNode => (
  <SelectField
    form={form}
    name="locale"
    label={messages.language}
    hint={messages.languageHint}
    autocomplete="language"
    options={LANGUAGES}
    isOptional
  />
);
