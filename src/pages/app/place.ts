/** Which application this is: the addresses of its pages and of its API, and how members sign in, as its document says. */
const {
  home = '',
  api = '',
  url = '',
  signIn = '',
} = document.querySelector<HTMLElement>('[data-home]')?.dataset ?? {};

export const HOME = home;
export const API = api;
/** The origin under which customers reach the service. */
export const SERVICE = url === '' ? location.origin : url;
/** How members of accounts sign in. */
export const ways = { passkey: signIn.includes('passkey'), provider: signIn.includes('oidc') } as const;
