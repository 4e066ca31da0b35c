/** The guide for whoever has a browser: its search, above its contents. */
import { guideSearch } from './guide-search.ts';

document.querySelector('.contents')?.prepend(guideSearch());
