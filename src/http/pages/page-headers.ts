/** What every page for a browser carries, beside its own headers. */

/**
 * Only what this server itself serves is loaded, run, asked and shown in; nothing inline, nothing evaluated. Swagger
 * UI's style sheet has its icons as `data:`.
 */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

export const pageHeaders = pageHeadersWith({});

/** @param more directives of the content security policy that one page needs beside those of all. */
export function pageHeadersWith(more: Readonly<Record<string, string>>) {
  const policy = Object.entries({ ...directives, ...more });
  return {
    'content-security-policy': policy.map(([name, sources]) => `${name} ${sources}`).join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  } as const;
}
