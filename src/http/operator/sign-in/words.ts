/** Messages of signing in that are the same for members and operators. */
export const OIDC_REFUSED =
  'This sign-in was not accepted: it was canceled, used before, began in another browser, or took longer than ten minutes. Sign in again.';
export const NOT_VERIFIED =
  'Your identity provider has not verified an e-mail address of yours. Ask whoever runs it.';
export const ISSUER_AWAY =
  'The identity provider does not answer now. Wait for the seconds in the Retry-After header, then sign in again.';
