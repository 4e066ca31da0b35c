/** In which fonts the text of lists is, how high its lines are, and what Symbol's bullets add to them. */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import type { LastResorts } from '../document/last-resorts.ts';
import { linksOf } from '../document/links.ts';
import { fontAttributes, readRunFonts } from '../document/run-fonts.ts';
import { Settings } from '../document/settings.ts';
import { NO_LIST, Styles } from '../document/styles.ts';
import { Theme } from '../document/theme.ts';
import { fontRows } from '../fonts/font-table.ts';
import type { Raise, RaiseOf } from './bullets.ts';
import { LayoutStyles, type LineProperties, readLineProperty } from './layout-styles.ts';

type Line = readonly [ascent: number, descent: number, gap: number];

/** Of Symbol, without a gap, in sizes of the font. */
const SYMBOL_LINE = 1.225;
/** Of the font whose bullets stand in for Symbol's where text is low. */
const HIGH_ASCENT = 1.01;
/** In 240ths of a line: from here on what a bullet adds is far less than LibreOffice would make of it. */
const SPACED = 300;
/** Stand-ins that are not made. */
const debianLines: readonly (readonly [string, Line])[] = [
  ['Liberation Sans', [0.905, 0.212, 0.033]],
  ['Liberation Serif', [0.891, 0.216, 0.042]],
];

let lowFonts: ReadonlySet<string> | undefined;

/** @param resorts replacements for fonts that exist nowhere. */
export function raisesOfLists(parts: KeptParts, resorts: LastResorts): RaiseOf {
  let counts: ReadonlyMap<string, Counts> | undefined;
  return (lists, level) => {
    counts ??= countLevels(parts, resorts);
    const sum: Counts = { single: 0, spaced: 0, none: 0 };
    for (const list of lists) {
      const { single = 0, spaced = 0, none = 0 } = counts.get(`${list} ${level}`) ?? {};
      sum.single += single;
      sum.spaced += spaced;
      sum.none += none;
    }
    if (sum.single + sum.spaced <= sum.none) return undefined;
    return sum.spaced > sum.single ? 'spaced' : 'single';
  };
}

/** Of how many paragraphs a bullet adds to the line. */
type Counts = Record<Raise | 'none', number>;

/** By list and level. */
function countLevels(parts: KeptParts, resorts: LastResorts): ReadonlyMap<string, Counts> {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => !isExternal);
  const part = (type: string) => parts.text(links.find((link) => link.type === type)?.target);
  const theme = new Theme(part('theme'), new Settings(part('settings')).themeLanguages);
  const styles = new Styles(part('styles'), theme);
  const spacing = new LayoutStyles(part('styles'));
  const reader = new ListReader(parts.text(parts.mainPart), styles, theme).walk();
  lowFonts ??= readLowFonts();
  const counts = new Map<string, Counts>();
  for (const { place, font, style, properties } of reader.found) {
    const count = counts.get(place) ?? { single: 0, spaced: 0, none: 0 };
    counts.set(place, count);
    const name = font.toLowerCase();
    const isLow = lowFonts.has(resorts.get(name)?.toLowerCase() ?? name);
    const line = properties.line ?? spacing.get(style, 'line') ?? 0;
    const rule = properties.lineRule ?? spacing.get(style, 'lineRule') ?? 'auto';
    count[isLow ? (rule === 'auto' && line >= SPACED ? 'spaced' : 'single') : 'none'] += 1;
  }
  return counts;
}

/** Names in lower case. Word's line is the higher one; here the ascent of one font and the descent of the other add up. */
function readLowFonts(): Set<string> {
  const { standIns, made } = fontRows();
  const lines = new Map<string, Line>([
    ...debianLines,
    ...made.map(({ family, line }) => [family, line] as const),
  ]);
  return new Set(
    standIns.flatMap(({ word, use }) => {
      const [ascent, descent, gap] = lines.get(use) ?? [SYMBOL_LINE, 0, 0];
      const own = ascent + descent + gap;
      const wanted = Math.max(own, SYMBOL_LINE);
      const high = Math.max(ascent + gap, HIGH_ASCENT) + descent;
      return Math.abs(high - wanted) < wanted - own ? word.map((name) => name.toLowerCase()) : [];
    }),
  );
}

interface Paragraph {
  style: string;
  list: string | undefined;
  level: string | undefined;
  run: { style: string; fonts: string };
  properties: LineProperties;
  isFound: boolean;
}

/** Notes the font of the first text of each paragraph of a list. */
class ListReader extends BodyWalk {
  readonly found: {
    readonly place: string;
    readonly font: string;
    readonly style: string;
    readonly properties: LineProperties;
  }[] = [];
  readonly #styles: Styles;
  readonly #theme: Theme;
  /** Those that are open: text boxes stand in paragraphs. */
  readonly #open: Paragraph[] = [];

  constructor(xml: string, styles: Styles, theme: Theme) {
    const elements = ['p', 'pStyle', 'numId', 'ilvl', 'spacing', 'r', 'rStyle', 'rFonts', 't'];
    super(xml, { elements, readsDeletions: true });
    this.#styles = styles;
    this.#theme = theme;
  }

  override open(element: Element): void {
    const { local, attributes, isEmpty } = element;
    const paragraph = this.#open.at(-1);
    const value = () => element.value() ?? '';
    if (local === 'p') {
      const run = { style: '', fonts: '' };
      const paragraph = { style: '', list: undefined, level: undefined, run, properties: {}, isFound: false };
      if (!isEmpty) this.#open.push(paragraph);
    } else if (!paragraph || paragraph.isFound) return;
    else if (local === 'pStyle') paragraph.style = value();
    else if (local === 'numId') paragraph.list = value();
    else if (local === 'ilvl') paragraph.level = value();
    // That of a run is the distance of its characters, and has no lines.
    else if (local === 'spacing')
      paragraph.properties = { ...readLineProperty(local, attributes, this.w), ...paragraph.properties };
    else if (local === 'r') paragraph.run = { style: '', fonts: '' };
    else if (local === 'rStyle') paragraph.run.style = value();
    else if (local === 'rFonts') paragraph.run.fonts = fontAttributes(attributes, this.w);
    else if (local === 't') this.#note(paragraph);
  }

  override close(local: string | undefined): void {
    if (local === 'p') this.#open.pop();
  }

  #note(paragraph: Paragraph): void {
    paragraph.isFound = true;
    const style = this.#styles.paragraphStyle(paragraph.style);
    const ofStyle = this.#styles.list(style);
    const list = paragraph.list ?? ofStyle?.list;
    if (list === undefined || list === NO_LIST) return;
    const { run } = paragraph;
    const font =
      readRunFonts(run.fonts, this.w, this.#theme).ascii ??
      this.#styles.font(run.style, 'ascii') ??
      this.#styles.font(style, 'ascii') ??
      this.#styles.defaultFont('ascii');
    const place = `${list} ${paragraph.level ?? (paragraph.list === undefined ? ofStyle?.level : undefined) ?? '0'}`;
    if (font !== undefined) this.found.push({ place, font, style, properties: paragraph.properties });
  }
}
