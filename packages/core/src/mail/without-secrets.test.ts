import { expect, it } from 'vitest';
import { generateSecret } from '../kernel/secret.js';
import { withoutSecrets } from './without-secrets.js';

it('an address that a mail server rejects is not repeated', () => {
  const refusal = `554 5.7.1 <https://auth.example.com/reset-password?token=${generateSecret('lkp_')}> is listed`;
  expect(withoutSecrets(refusal)).toBe('554 5.7.1 <[address]> is listed');
});

it.each(['lkp_', 'lki_', 'lkh_', 'lkr_'])('a secret that begins with %s is not repeated', (prefix) => {
  expect(withoutSecrets(`blocked: token=${generateSecret(prefix)}`)).toBe('blocked: token=[secret]');
});

it('other text of a mail server is unchanged', () => {
  const refusal = '550 5.1.1 <ada@example.com>: Recipient address rejected, see smtp.example.com/policy';
  expect(withoutSecrets(refusal)).toBe(refusal);
});
