import { expect, it } from 'vitest';
import { partlyHiddenEmail } from './partly-hidden-email.js';

it.each([
  ['ada@example.com', 'a•••@example.com'],
  ['a@example.com', '•••@example.com'],
  ['ab@example.com', 'a•••@example.com'],
  ['𝒜da@example.com', '𝒜•••@example.com'],
  ['"a@b"@example.com', '"•••@example.com'],
])('of %s the first character and the domain are shown', (email, shown) => {
  expect(partlyHiddenEmail(email)).toBe(shown);
});
