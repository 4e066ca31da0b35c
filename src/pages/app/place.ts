/** Which application this is: the addresses of its pages and of its API, as its document says. */
const { home = '', api = '', url = '' } = document.querySelector<HTMLElement>('[data-home]')?.dataset ?? {};

export const HOME = home;
export const API = api;
/** The origin under which customers reach the service. */
export const SERVICE = url === '' ? location.origin : url;
