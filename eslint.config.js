import js from '@eslint/js';
import { importX } from 'eslint-plugin-import-x';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      'coverage/',
      '.latchkey/',
      'test/packages/',
      'packages/client/src/generated/',
      'site/generated/',
      'site/.vitepress/cache/',
      // Compiled against types that are made when it is checked.
      'tools/openapi/',
    ],
  },
  {
    plugins: { 'import-x': importX },
    settings: { 'import-x/internal-regex': '^@latchkey/' },
    rules: {
      // Node's modules, packages, our packages, then files from the outside in.
      'import-x/order': [
        'error',
        {
          groups: ['builtin', 'external', 'internal', 'parent', 'sibling'],
          alphabetize: { order: 'asc', caseInsensitive: true },
        },
      ],
      // Values and types in one statement.
      'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    // Not compiled, so without the rules that ask for types.
    files: ['**/*.js', '**/*.mjs'],
    extends: [js.configs.recommended],
    languageOptions: { globals: globals.node },
    rules: {
      'no-var': 'error',
      'prefer-const': 'error',
      'object-shorthand': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: ['**/public/*.js', 'site/.vitepress/theme/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.test.ts', 'test/**', 'bench/**', 'tools/**', 'examples/**'],
    rules: {
      'no-console': 'off',
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // A describe holds all of its cases; the composition is one list.
    files: ['**/*.test.ts', 'test/**', 'packages/core/src/compose/build-auth.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
);
