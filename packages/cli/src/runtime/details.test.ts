import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { moment, plainDetails, renderDetails } from './details.js';

const DETAILS = [
  { label: 'id', text: '01981f3e' },
  { label: 'name', text: 'Ada\tLovelace', aside: 'as\u001b she says' },
  { label: 'last login', text: '', aside: 'never' },
];

describe('a thing in full', () => {
  it('people see labelled lines with explanations and without control characters', () => {
    const paint = (style: string, text: string): string => `<${style}>${text}</>`;
    expect(renderDetails(DETAILS, { columns: 60, paint })).toEqual([
      '<dim>id        </>  01981f3e',
      '<dim>name      </>  Ada\uFFFDLovelace <dim>(as\uFFFD she says)</>',
      '<dim>last login</>  <dim>(never)</>',
    ]);
  });

  it('a long text stays in its column, and a long word stays whole', () => {
    const details = [
      { label: 'email', text: `${'a'.repeat(40)}@example.com` },
      { label: 'modules', text: 'assets, invoices, inventory, payroll', aside: 'four of them' },
    ];
    const paint = (_style: string, text: string): string => `\u001b[2m${text}\u001b[22m`;
    const lines = renderDetails(details, { columns: 38, paint }).map((line) =>
      stripVTControlCharacters(line),
    );
    expect(lines).toEqual([
      `email    ${'a'.repeat(40)}@example.com`,
      'modules  assets, invoices, inventory,',
      '         payroll (four of them)',
    ]);
  });

  it('programs get label and text', () => {
    expect(plainDetails(DETAILS)).toEqual(['id\t01981f3e', 'name\tAda\uFFFDLovelace', 'last login\t']);
  });

  it('times are exact, with the relative time beside them', () => {
    const time = new Date(Date.now() - 180_500).toISOString();
    expect(moment('created', time)).toEqual({ label: 'created', text: time, aside: '3 minutes ago' });
    expect(moment('last login', undefined)).toEqual({ label: 'last login', text: '', aside: 'never' });
  });
});
