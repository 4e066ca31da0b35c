/** The reference: Swagger UI on the OpenAPI document of this server. */

/**
 * All texts in a value of JSON, for the search: also those that it shares with others, but not those of schemas.
 *
 * @param {unknown} value
 * @param {Components} components
 * @returns {string}
 */
function textsOf(value, components) {
  if (typeof value === 'string') {
    const [, kind = '', name = ''] =
      /^#\/components\/(parameters|headers|examples|responses)\/(.+)$/.exec(value) ?? [];
    return kind === '' ? value : textsOf(components[kind]?.[name], components);
  }
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map((each) => textsOf(each, components))
    .join('\n');
}

/**
 * The operations that have every word of the phrase somewhere in what they say.
 *
 * @param {TaggedOperations} tagged
 * @param {string} phrase
 * @param {Components} components
 */
function search(tagged, phrase, components) {
  const words = phrase.toLowerCase().split(/\s+/);
  return tagged
    .map((group, tag) => {
      const operations = group.get('operations').filter((operation) => {
        const text = `${tag}\n${textsOf(operation.toJS(), components)}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      return group.set('operations', operations);
    })
    .filter((group) => group.get('operations').size > 0);
}

/** The components of the document. @param {System} system @returns {Components} */
const componentsOf = (system) => system.getSystem().specSelectors.specJson().toJS().components;

/** In place of Swagger UI's own filter, which sees tags and paths only. @type {(system: System) => SwaggerUiPlugin} */
const searchPlugin = (system) => ({
  fn: { opsFilter: (tagged, phrase) => search(tagged, phrase, componentsOf(system)) },
  wrapComponents: {
    operations:
      (Operations, { React }) =>
      (props) => {
        const phrase = props.layoutSelectors.currentFilter();
        const isFound =
          typeof phrase !== 'string' ||
          search(props.specSelectors.taggedOperations(), phrase, componentsOf(system)).size > 0;
        return isFound
          ? React.createElement(Operations, props)
          : React.createElement('p', { role: 'status' }, 'No page has all of these words.');
      },
  },
});

/**
 * The parts of the page. Swagger UI's own layout puts a main landmark into ours, and shows the one server. Until the document is
 * there it says so.
 *
 * @type {(system: System) => SwaggerUiPlugin}
 */
const layoutPlugin = ({ React }) => ({
  components: {
    ReferenceLayout(props) {
      const { getComponent, specSelectors } = props;
      if (specSelectors.loadingStatus() !== 'success') {
        return React.createElement(getComponent('BaseLayout', true), {});
      }
      /** @param {string} name */
      const part = (name) => React.createElement(getComponent(name, true), {});
      /** @param {string} classes @param {...ReactElement} parts */
      const section = (classes, ...parts) => React.createElement('div', { className: classes }, ...parts);
      return section(
        'swagger-ui',
        part('SvgAssets'),
        part('errors'),
        section(
          'wrapper',
          fold(React, 'about', 'About this API: errors, retries, changes', part('InfoContainer')),
        ),
        React.createElement('h2', { className: 'visually-hidden' }, 'Operations'),
        section('scheme-container', section('schemes wrapper', part('AuthorizeBtnContainer'))),
        part('FilterContainer'),
        section('wrapper', part('operations')),
        section('wrapper', part('Models')),
      );
    },
  },
});

/** Folds what is rarely read: headers and examples of errors. @type {() => SwaggerUiPlugin} */
const foldPlugin = () => ({
  wrapComponents: {
    headers:
      (Headers, { React }) =>
      (props) =>
        props.headers?.size
          ? fold(React, 'headers', `Headers (${props.headers.size})`, React.createElement(Headers, props))
          : null,
    modelExample:
      (Example, { React }) =>
      (props) => {
        const example = React.createElement(Example, props);
        return isOfError(props.specPath) ? fold(React, 'body', 'Body, with examples', example) : example;
      },
  },
});

/**
 * @param {React} React
 * @param {string} name
 * @param {string} title
 * @param {ReactElement} content
 */
function fold(React, name, title, content) {
  return React.createElement(
    'details',
    { className: `fold fold-${name}` },
    React.createElement('summary', {}, title),
    content,
  );
}

/** Whether a place in the document belongs to a response with an error. @param {SpecPath} specPath */
function isOfError(specPath) {
  const keys = specPath.toJS();
  return /^[45]/.test(keys[keys.indexOf('responses') + 1] ?? '');
}

/** Opens the operation that a link of the introduction names. @param {string} hash such as `#/tag/operationId` */
function openOperation(hash) {
  const control = document.querySelector(
    `#operations-${hash.slice(2).replace('/', '-')} .opblock-summary-control`,
  );
  if (!(control instanceof HTMLElement)) return;
  if (control.getAttribute('aria-expanded') === 'false') control.click();
  control.focus({ preventScroll: true });
  control.scrollIntoView();
}

/**
 * Lists of files: Swagger UI asks for a component of their format and complains that it has none, although it shows them.
 *
 * @type {(system: System) => SwaggerUiPlugin}
 */
const filePlugin = ({ React }) => ({
  components: {
    JsonSchema_string_binary: (props) => React.createElement(props.getComponent('JsonSchema_string'), props),
  },
});

/** Makes curl commands store the PDF instead of printing it. @type {() => SwaggerUiPlugin} */
const snippetPlugin = () => ({
  afterLoad({ fn }) {
    for (const shell of /** @type {const} */ (['bash', 'cmd', 'powershell'])) {
      const generate = fn[`requestSnippetGenerator_curl_${shell}`];
      fn[`requestSnippetGenerator_curl_${shell}`] = (request) => {
        const command = generate(request);
        const isForPdf = command.includes('application/pdf');
        return isForPdf ? command.replace(/^curl(\.exe)?/, '$& --fail-with-body -o document.pdf') : command;
      };
    }
  },
});

/** Swagger UI has this link inside of a button, where neither the keyboard nor a screen reader finds it. @type {() => SwaggerUiPlugin} */
const plainNamePlugin = () => ({
  wrapComponents: {
    DeepLink:
      (_Link, { React }) =>
      ({ text }) =>
        React.createElement('span', {}, text),
  },
});

/** Leaves out fields of the form that nobody filled in: Swagger UI sends them empty. @param {{ body?: unknown }} request */
function withoutEmptyFields(request) {
  const { body } = request;
  if (!(body instanceof FormData)) return request;
  for (const [name, value] of [...body]) if (value === '') body.delete(name);
  return request;
}

/**
 * Gives names to what Swagger UI leaves without, and lets the keyboard reach what scrolls.
 *
 * @param {ParentNode} root
 */
function nameControls(root) {
  for (const row of root.querySelectorAll('tr[data-param-name], tr[data-property-name]')) {
    const { paramName, propertyName } = /** @type {HTMLElement} */ (row).dataset;
    for (const control of row.querySelectorAll('select, input, textarea')) {
      control.setAttribute('aria-label', paramName ?? propertyName ?? '');
    }
  }
  for (const select of root.querySelectorAll('.examples-select-element')) {
    select.setAttribute('aria-label', 'Example');
  }
  for (const body of root.querySelectorAll('.body-param__text')) body.setAttribute('aria-label', 'Body');
  for (const operation of root.querySelectorAll('.opblock')) {
    const name = operation.querySelector('.opblock-summary-control')?.textContent ?? '';
    operation.querySelector('.responses-table[role]')?.setAttribute('aria-label', `Responses: ${name}`);
  }
  for (const code of root.querySelectorAll('pre')) code.tabIndex = 0;
  for (const button of root.querySelectorAll('.close-modal')) button.setAttribute('aria-label', 'Close');
  // Its label has other words than the button itself.
  for (const button of root.querySelectorAll('.modal-btn')) button.removeAttribute('aria-label');
}

function nameSearch() {
  const input = document.querySelector('input.operation-filter-input');
  input?.setAttribute('placeholder', 'Search: convert, rotate, RATE_LIMIT_EXCEEDED …');
  input?.setAttribute('aria-label', 'Search the operations');
  const reference = /** @type {HTMLElement} */ (document.querySelector('#reference'));
  nameControls(reference);
  new MutationObserver(() => nameControls(reference)).observe(reference, { childList: true, subtree: true });
}

/** The first field of the dialog is the key's; the browser must not remember what is typed. */
function prepareKeyDialog() {
  const fields = document.querySelectorAll('.auth-container input');
  for (const field of fields) field.setAttribute('autocomplete', 'off');
  const [first] = fields;
  if (first instanceof HTMLElement) first.focus();
}

document.addEventListener('click', ({ target }) => {
  const opens = target instanceof Element && target.closest('button.authorize, button.authorization__btn');
  if (opens) requestAnimationFrame(prepareKeyDialog);
  const link = target instanceof Element && target.closest('.lead a[href^="#/"]');
  if (link instanceof HTMLAnchorElement) openOperation(link.hash);
});

SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  layout: 'ReferenceLayout',
  plugins: [layoutPlugin, searchPlugin, foldPlugin, snippetPlugin, filePlugin, plainNamePlugin],
  requestInterceptor: withoutEmptyFields,
  filter: true,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  // Numbers in its default are too faint.
  syntaxHighlight: { theme: 'tomorrow-night' },
  defaultModelsExpandDepth: 0,
  // A key lives as long as the page.
  persistAuthorization: false,
  // It would send the document to another host.
  validatorUrl: null,
  onComplete: nameSearch,
});
