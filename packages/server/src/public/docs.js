/** Operations that readers need first, within their group. */
const FIRST = ['login', 'register', 'refreshSession', 'logout', 'getMe'];

const rankOf = (operation) => {
  const rank = FIRST.indexOf(operation.getIn(['operation', 'operationId']));
  return rank === -1 ? FIRST.length : rank;
};

/** Returns everything of an operation that the search looks at. */
const textOf = (operation) =>
  [
    operation.get('method'),
    operation.get('path'),
    ...['operationId', 'summary', 'description'].map((name) => operation.getIn(['operation', name]) ?? ''),
  ]
    .join('\n')
    .toLowerCase();

/** Keeps the groups and the operations that contain the searched text. */
const searched = (groups, phrase) => {
  const wanted = phrase.trim().toLowerCase();
  return groups
    .map((group, name) =>
      name.toLowerCase().includes(wanted)
        ? group
        : group.update('operations', (all) => all.filter((operation) => textOf(operation).includes(wanted))),
    )
    .filter((group) => group.get('operations').size > 0);
};

/** A field that searches operations; the original filters groups only, and has no label. */
const searchField = ({ React }) =>
  function SearchField({ layoutActions, layoutSelectors }) {
    const phrase = layoutSelectors.currentFilter();
    return React.createElement(
      'div',
      { className: 'filter-container wrapper', role: 'search' },
      // Between the title of the page and the groups.
      React.createElement('h2', null, 'Operations'),
      React.createElement('input', {
        className: 'operation-filter-input',
        type: 'search',
        'aria-label': 'Search operations',
        placeholder: 'Search operations',
        value: typeof phrase === 'string' ? phrase : '',
        onChange: ({ target }) => layoutActions.updateFilter(target.value),
      }),
    );
  };

const inHeader = (InfoContainer, { React }) =>
  function Header(props) {
    return React.createElement('header', { role: 'banner' }, React.createElement(InfoContainer, props));
  };

/** The path of an operation stands in the button that opens it, where a link must not be. Links of groups remain. */
const plainPath = (DeepLink, { React }) =>
  function PlainPath({ path, text, ...others }) {
    return path.includes('/')
      ? React.createElement('span', null, text)
      : React.createElement(DeepLink, { ...others, path, text });
  };

/** There is one server, the one that this page comes from. */
const nothing = () => () => null;

const referencePlugin = (system) => ({
  fn: { opsFilter: searched },
  components: { FilterContainer: searchField(system) },
  wrapComponents: { DeepLink: plainPath, InfoContainer: inHeader, ServersContainer: nothing },
});

/** Controls of the viewer without a name, and how they are called. */
const NAMES = [
  ['.body-param textarea', () => 'Request body'],
  ['.examples-select-element', () => 'Example'],
  ['[data-param-name] :is(select, input, textarea)', (control) => nameOfParameter(control)],
  ['.responses-table[role=region]', (table) => table.id.replaceAll('_', ' ')],
];

const nameOfParameter = (control) => control.closest('[data-param-name]').dataset.paramName;

/** Names the controls of operations that have been opened. */
const nameControls = () => {
  for (const [selector, nameOf] of NAMES) {
    for (const control of document.querySelectorAll(`${selector}:not([aria-label])`)) {
      control.setAttribute('aria-label', nameOf(control));
    }
  }
};
new MutationObserver(nameControls).observe(document.body, { childList: true, subtree: true });

/** The viewer has a dark look of its own, which follows the browser. */
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', followColorScheme);
followColorScheme();

window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#viewer',
  plugins: [referencePlugin],
  // Each operation has an address.
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  operationsSorter: (one, other) => rankOf(one) - rankOf(other),
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
