import { LOCALES } from '../../kernel/locale.js';
import { colour, linkTarget, ownPath } from '../kinds/brand-kinds.js';
import { boolean, choice, text } from '../kinds/plain-kinds.js';
import { defaulted, optional } from '../setting-definition.js';

export const pageDefinitions = [
  defaulted({
    name: 'BRAND_NAME',
    group: 'Pages',
    // Authenticator apps show it without colons, so it must be more than punctuation.
    kind: text(
      'a name of at most 60 characters with a letter or digit',
      /^(?=.*[\p{L}\p{N}\p{So}])[^\p{Cc}<>]{1,60}$/u,
    ),
    default: 'Latchkey',
    description: 'The product name on the pages and in mails.',
  }),
  optional({
    name: 'BRAND_LOGO_URL',
    group: 'Pages',
    kind: ownPath,
    default: 'unset: the first letter of the name',
    description:
      'Path of the logo on the host of the pages, which load nothing from other hosts. Mails show the logo, too, if ' +
      '`AUTH_BASE_URL` is https and the file is not an SVG, which few mail programs support.',
    example: '/brand/logo.svg',
  }),
  optional({
    name: 'BRAND_LOGO_DARK_URL',
    group: 'Pages',
    kind: ownPath,
    default: 'unset: `BRAND_LOGO_URL` in both color schemes',
    description: 'Path of the logo that the pages show in dark mode, if `BRAND_LOGO_URL` is set, too.',
    example: '/brand/logo-dark.svg',
  }),
  defaulted({
    name: 'BRAND_ACCENT',
    group: 'Pages',
    kind: colour,
    default: '#2f5bd0',
    description:
      'The colour of buttons and links on pages and in mails. It is darkened or lightened until it is legible on its background.',
  }),
  optional({
    name: 'CONSOLE_ENABLED',
    group: 'Pages',
    kind: boolean,
    default: 'on outside production, else off',
    description:
      'Serves the console of platform staff at `/console`. It uses the same routes as any client, so turning it off removes no ' +
      'route. In production, consider to open it to your own network only.',
    example: 'true',
  }),
  defaulted({
    name: 'COMPANY_PAGES_ENABLED',
    group: 'Pages',
    kind: boolean,
    default: 'true',
    description:
      'Serves the pages for administrators of a company at `/company`. They use the same routes as any client, so turning ' +
      'them off removes no route.',
  }),
  optional({
    name: 'TERMS_URL',
    group: 'Pages',
    kind: linkTarget,
    default: 'unset: no link',
    description: 'The terms of service, linked at the foot of every page.',
    example: 'https://www.example.com/terms',
  }),
  optional({
    name: 'PRIVACY_URL',
    group: 'Pages',
    kind: linkTarget,
    default: 'unset: no link',
    description: 'The privacy policy, linked at the foot of every page.',
    example: 'https://www.example.com/privacy',
  }),
  optional({
    name: 'SUPPORT_URL',
    group: 'Pages',
    kind: linkTarget,
    default: 'unset: no link',
    description: 'Where users find help, linked at the foot of every page.',
    example: 'https://www.example.com/help',
  }),
  defaulted({
    name: 'DEFAULT_LOCALE',
    group: 'Pages',
    kind: choice(LOCALES),
    default: 'en',
    description:
      'The language of pages if the browser accepts none of theirs, and of mails to users whose language is unknown.',
  }),
] as const;
