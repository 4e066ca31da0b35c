/** The guide for integrators as the console shows it: with the address of this service, and a test key, in its examples. */
import { Failure, readPage } from '../app/api.ts';
import { HOME, SERVICE } from '../app/place.ts';
import { copyBy } from '../copy.ts';
import { make } from '../elements.ts';
import { guideSearch } from '../guide-search.ts';

/** The first page of the guide. */
export const FIRST_PAGE = 'README';
const GUIDE = '/v1/docs/guide';
const PAGE_NAME = /^[a-z-]+$/;

/** What the guide writes where a reader has their own. */
const ADDRESS = 'https://platen.example.com';
const TEST_KEY = 'svc_test_sk_…';
const ENVIRONMENT = `export PLATEN_URL=${ADDRESS}\nexport PLATEN_API_KEY=${TEST_KEY}\n`;

export interface GuidePage {
  readonly title: string;
  readonly contents: Element;
  readonly text: Element;
}

/** @param name of the page, such as `quick-start`. @throws Failure */
export async function readGuidePage(name: string, signal: AbortSignal): Promise<GuidePage> {
  const address = name === FIRST_PAGE ? GUIDE : `${GUIDE}/${name}`;
  if (name !== FIRST_PAGE && !PAGE_NAME.test(name)) throw noPage();
  const html = await readPage(address, signal).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'NOT_FOUND' ? noPage() : error;
  });
  const page = new DOMParser().parseFromString(html, 'text/html');
  const contents = page.querySelector('.guide > .contents');
  const text = page.querySelector('.guide > main');
  const heading = text?.querySelector('h1');
  if (!contents || !text || !heading) throw new Error(`${address} is no page of the guide`);
  heading.remove();
  return { title: heading.textContent, contents, text };
}

function noPage(): Failure {
  return new Failure('NOT_FOUND', 'The guide has no such page.');
}

/** Contents and text of a page, for the console. @param key undefined: the examples have none. */
export function contentsAndText({ contents, text }: GuidePage, key: string | undefined): Node[] {
  const list = document.importNode(contents, true);
  const article = make('article');
  list.prepend(guideSearch(lead));
  article.append(...document.importNode(text, true).childNodes);
  for (const link of [list, article].flatMap((part) => [...part.querySelectorAll('a')])) lead(link);
  for (const code of article.querySelectorAll<HTMLElement>('pre > code')) fill(code, key);
  // What scrolls must be reached by the keyboard.
  for (const scrolling of article.querySelectorAll<HTMLElement>('pre, .wide')) scrolling.tabIndex = 0;
  return [list, article];
}

/** Links to the guide stay in the console; others open a new tab, as the key would go with this one. */
function lead(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href') ?? '';
  if (href.startsWith('#')) return;
  if (href.startsWith(GUIDE)) link.href = `${HOME}/docs${href.slice(GUIDE.length)}`;
  else Object.assign(link, { target: '_blank', rel: 'noopener' });
}

function fill(code: HTMLElement, key: string | undefined): void {
  const text = code.textContent;
  const isShell = code.matches('.language-bash, .language-sh');
  const isCommand = isShell && !text.startsWith('#!');
  code.textContent = withOwn(text, key, isCommand);
  const pre = code.parentElement;
  if (!pre) return;
  if (!isCommand && /(?<!export )PLATEN_API_KEY/.test(text)) {
    const block = make('pre', '', make('code', '', withOwn(ENVIRONMENT, key, false)));
    pre.before(block);
    addCopyButton(block);
  }
  if (code.className !== '' && !code.matches('.language-json')) addCopyButton(pre);
  else if (text.startsWith('export ')) addCopyButton(pre);
}

/** Commands have the values themselves; programs read them from the environment, so that no key gets into source code. */
function withOwn(text: string, key: string | undefined, isCommand: boolean): string {
  const own = text.replaceAll(ADDRESS, SERVICE).replaceAll(TEST_KEY, key ?? TEST_KEY);
  if (!isCommand) return own;
  return own.replaceAll('$PLATEN_URL', SERVICE).replaceAll('$PLATEN_API_KEY', key ?? '$PLATEN_API_KEY');
}

function addCopyButton(pre: HTMLElement): void {
  const button = Object.assign(make('button', 'button small', 'Copy'), { type: 'button' });
  copyBy(button, pre);
  const example = make('div', 'example');
  pre.replaceWith(example);
  example.append(pre, button);
}
