/** The reference: Swagger UI on the OpenAPI document of this server. */

/**
 * All texts in a value of JSON, for the search.
 *
 * @param {unknown} value
 * @returns {string}
 */
function textsOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textsOf).join('\n');
}

/**
 * The operations that have every word of the phrase somewhere in what they say.
 *
 * @param {TaggedOperations} tagged
 * @param {string} phrase
 */
function search(tagged, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  return tagged
    .map((group, tag) => {
      const operations = group.get('operations').filter((operation) => {
        const text = `${tag}\n${textsOf(operation.toJS())}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      return group.set('operations', operations);
    })
    .filter((group) => group.get('operations').size > 0);
}

/** In place of Swagger UI's own filter, which sees tags and paths only. @type {() => SwaggerUiPlugin} */
const searchPlugin = () => ({
  fn: { opsFilter: search },
  wrapComponents: {
    operations:
      (Operations, { React }) =>
      (props) => {
        const phrase = props.layoutSelectors.currentFilter();
        const isFound =
          typeof phrase !== 'string' || search(props.specSelectors.taggedOperations(), phrase).size > 0;
        return isFound
          ? React.createElement(Operations, props)
          : React.createElement('p', { role: 'status' }, 'Nothing has all of these words.');
      },
  },
});

function nameSearch() {
  const input = document.querySelector('input.operation-filter-input');
  input?.setAttribute('placeholder', 'Search: convert, rotate, RATE_LIMIT_EXCEEDED …');
  input?.setAttribute('aria-label', 'Search the operations');
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
});

SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  plugins: [searchPlugin],
  filter: true,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  defaultModelsExpandDepth: 0,
  // A key lives as long as the page.
  persistAuthorization: false,
  // It would send the document to another host.
  validatorUrl: null,
  onComplete: nameSearch,
});
