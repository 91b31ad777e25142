import { partOf } from './docs-references.js';
import { curlOf, typescriptOf } from './docs-samples.js';

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

/** Shows that a search has no result. */
const foundOperations = (Operations, { React }) =>
  function FoundOperations(props) {
    return props.specSelectors.taggedOperations().size === 0
      ? React.createElement('p', { className: 'no-match', role: 'status' }, 'No operation matches.')
      : React.createElement(Operations, props);
  };

const inSection = (InfoContainer, { React }) =>
  function Introduction(props) {
    return React.createElement(
      'section',
      { 'aria-label': 'Introduction' },
      React.createElement(InfoContainer, props),
    );
  };

const SAMPLES = [
  ['curl', curlOf],
  ['TypeScript', typescriptOf],
];
/** The language that the reader has chosen last. */
let chosenSample = SAMPLES[0];

/** Returns what a sample needs of an operation. */
function partsOf([path, method], document) {
  const { security = [], parameters = [], requestBody } = document.getIn(['paths', path, method]).toJS();
  return { path, method, security, parameters, body: requestBody?.content['application/json'].example };
}

/** Code that calls the operation, with the public address of the service. */
const sampleOf = ({ React }) =>
  function Sample({ operation, address }) {
    const [[language, write], setSample] = React.useState(chosenSample);
    const [isCopied, setCopied] = React.useState(false);
    const code = write(operation, address);
    const choose = (sample) => {
      chosenSample = sample;
      setSample(sample);
      setCopied(false);
    };
    const choices = SAMPLES.map((sample) =>
      React.createElement(
        'button',
        {
          key: sample[0],
          type: 'button',
          'aria-pressed': sample[0] === language,
          onClick: () => choose(sample),
        },
        sample[0],
      ),
    );
    const copy = async () => {
      await navigator.clipboard.writeText(code);
      setCopied(true);
    };
    return React.createElement(
      'div',
      { className: 'sample' },
      React.createElement(
        'div',
        { className: 'sample-bar' },
        React.createElement('h4', null, 'Sample'),
        ...choices,
        // Only pages of a secure context may write to the clipboard.
        navigator.clipboard &&
          React.createElement(
            'button',
            { type: 'button', className: 'copy-sample', onClick: copy },
            isCopied ? 'Copied' : 'Copy',
          ),
      ),
      React.createElement(
        'pre',
        { tabIndex: 0, role: 'group', 'aria-label': `Sample in ${language}` },
        React.createElement('code', null, code),
      ),
    );
  };

/** Puts a sample before the parameters of an operation. */
const withSample = (Parameters, system) => {
  const { React } = system;
  const Sample = sampleOf(system);
  return function ParametersWithSample(props) {
    const document = props.specSelectors.specJson();
    const operation = partsOf(props.pathMethod, document);
    return React.createElement(
      React.Fragment,
      null,
      React.createElement(Sample, { operation, address: document.getIn(['servers', 0, 'url']) }),
      React.createElement(Parameters, props),
    );
  };
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
  fn: {
    opsFilter: searched,
    resolveSubtree: (document, path, { baseDoc }) => ({ spec: partOf(document, path, baseDoc), errors: [] }),
  },
  components: { FilterContainer: searchField(system) },
  wrapComponents: {
    DeepLink: plainPath,
    InfoContainer: inSection,
    ServersContainer: nothing,
    operations: foundOperations,
    parameters: withSample,
  },
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

/** Lists the groups beside the operations. */
function listGroups() {
  const { layoutActions, specSelectors } = viewer.getSystem();
  const items = specSelectors.tags().map((tag) => {
    const name = tag.get('name');
    const link = document.createElement('a');
    link.href = `#/${encodeURIComponent(name)}`;
    link.textContent = name;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      layoutActions.updateFilter('');
      layoutActions.show(['operations-tag', name], true);
      history.replaceState(undefined, '', link.href);
      requestAnimationFrame(() => showGroup(name));
    });
    const item = document.createElement('li');
    item.append(link);
    return item;
  });
  document.querySelector('#groups ul').replaceChildren(...items);
  closeLastGroups(specSelectors, layoutActions);
}

/** Rows that are shown at first: groups and operations. With 150 the viewer keeps only those in sight, and no browser can search them. */
const MOST_ROWS = 130;

/** Closes the groups after those that fit; the one of the address stays open. */
function closeLastGroups(specSelectors, layoutActions) {
  const asked = decodeURIComponent(location.hash);
  const groups = specSelectors.taggedOperations();
  let rows = groups.size;
  for (const [name, group] of groups.entrySeq()) {
    rows += group.get('operations').size;
    if (rows > MOST_ROWS && !asked.startsWith(`#/${name}`))
      layoutActions.show(['operations-tag', name], false);
  }
}

/** Scrolls to the heading of a group and focuses it. */
function showGroup(name) {
  const heading = document.getElementById(`operations-tag-${name.replaceAll(/\s/g, '_')}`);
  heading?.scrollIntoView();
  heading?.querySelector('button')?.focus({ preventScroll: true });
}

const viewer = window.SwaggerUIBundle({
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
  onComplete: listGroups,
});
