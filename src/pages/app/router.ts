/** Routing by paths below the application's own, so that reload, back and shared links work. */
import { useEffect, useState } from 'preact/hooks';
import { HOME } from './place.ts';

export { HOME };

export interface Place {
  /** Parts of the path below that of the application. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const MOVED = 'platen:moved';

export function useUrl(): string {
  const [url, setUrl] = useState(currentUrl);
  useEffect(() => {
    const update = () => setUrl(currentUrl());
    addEventListener('popstate', update);
    addEventListener(MOVED, update);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener(MOVED, update);
    };
  }, []);
  return url;
}

export function placeOf(url: string): Place {
  const { pathname, searchParams } = new URL(url, location.origin);
  const parts = pathname.slice(HOME.length).split('/').filter(Boolean).map(decode);
  return { parts, query: searchParams };
}

/** @param url within the application. */
export function navigate(url: string): void {
  history.pushState(null, '', url);
  dispatchEvent(new Event(MOVED));
  scrollTo(0, 0);
}

/** Links within the application change the view; all others, those within the page, and those to a new tab, are the browser's. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!isPlain || !link || event.defaultPrevented || link.target !== '' || link.hasAttribute('download'))
      return;
    const { origin, pathname, search, hash } = new URL(link.href);
    if (origin !== location.origin || !`${pathname}/`.startsWith(`${HOME}/`)) return;
    if (hash !== '' && pathname + search === currentUrl()) return;
    event.preventDefault();
    navigate(pathname + search + hash);
  });
}

function currentUrl(): string {
  return location.pathname + location.search;
}

/** A malformed URL must not break the page. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
