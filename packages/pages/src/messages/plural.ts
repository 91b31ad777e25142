/** The forms of a text with a number: `{n}` is the number. `other` is for every category that has no form of its own. */
type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Returns a function that chooses the form for a number in this language (CLDR plural rules), and fills it in. */
export function pluralIn(locale: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  const digits = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('{n}', digits.format(count));
}
