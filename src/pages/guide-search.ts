/** The search of the guide: its sections that have every word, as links. The index is read when somebody begins to type. */
import { make } from './elements.ts';
import { type Section, sectionsWith } from './guide-sections.ts';

/** Where the build puts the index. */
const INDEX = '/v1/docs/guide.json';
const MOST = 12;

/** @param lead changes each link that is shown; by default it leads to the page that the service serves. */
export function guideSearch(lead: (link: HTMLAnchorElement) => void = () => {}): HTMLElement {
  const own = { type: 'search', placeholder: 'Search the guide', maxLength: 200 };
  const field = Object.assign(make('input'), own);
  field.setAttribute('aria-label', 'Search the guide');
  const found = make('ul');
  const said = make('p');
  said.setAttribute('role', 'status');
  const search = make('search', 'guide-search', field, said, found);
  let sections: Promise<readonly Section[]> | undefined;
  field.addEventListener('input', async () => {
    sections ??= readIndex();
    const text = field.value;
    try {
      const all = await sections;
      // Somebody has typed on.
      if (text !== field.value) return;
      const fitting = sectionsWith(all, text);
      found.replaceChildren(...fitting.slice(0, MOST).map((section) => itemOf(section, lead)));
      said.textContent = text.trim() === '' ? '' : saidOf(fitting.length);
    } catch {
      sections = undefined;
      said.textContent = 'The search does not answer. Type again.';
    }
  });
  return search;
}

async function readIndex(): Promise<readonly Section[]> {
  const answer = await fetch(INDEX);
  if (!answer.ok) throw new Error(`${INDEX}: ${answer.status}`);
  return (await answer.json()) as readonly Section[];
}

function saidOf(count: number): string {
  if (count === 0) return 'No page has all of these words.';
  return count > MOST ? `The first ${MOST} of ${count} sections` : '';
}

function itemOf({ page, title, url }: Section, lead: (link: HTMLAnchorElement) => void): HTMLLIElement {
  const link = Object.assign(make('a', '', title === page ? page : `${page}: ${title}`), { href: url });
  lead(link);
  return make('li', '', link);
}
