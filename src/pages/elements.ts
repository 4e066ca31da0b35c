/** A page's elements: those that it has, and new ones. */

/**
 * The element with this id.
 *
 * @throws Error when there is none of this kind: page and script do not match.
 */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return element;
}

/** All elements that a selector of a data attribute, such as `[data-copy]`, finds. */
export function all(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)];
}

/** A new element. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  // Some rules of style are for those without classes.
  if (className !== '') element.className = className;
  element.append(...content);
  return element;
}
