import { colour, ownPath } from '../kinds/brand-kinds.js';
import { text } from '../kinds/plain-kinds.js';
import { defaulted, optional } from '../setting-definition.js';

export const pageDefinitions = [
  defaulted({
    name: 'BRAND_NAME',
    group: 'Pages',
    kind: text('a name of at most 60 characters', /^[^\p{Cc}<>]{1,60}$/u),
    default: 'Latchkey',
    description: 'The name people see on the pages and in mails.',
  }),
  optional({
    name: 'BRAND_LOGO_URL',
    group: 'Pages',
    kind: ownPath,
    default: 'unset: the first letter of the name',
    description:
      'A logo for the pages, from the own host only: pages load nothing from other hosts. Mails show it, too, when ' +
      '`AUTH_BASE_URL` is https and the file is no SVG, which hardly any mail program shows.',
    example: '/brand/logo.svg',
  }),
  defaulted({
    name: 'BRAND_ACCENT',
    group: 'Pages',
    kind: colour,
    default: '#2f5bd0',
    description:
      'The one colour of buttons and links, in mails too. It is darkened or lightened until it is legible on its background.',
  }),
] as const;
