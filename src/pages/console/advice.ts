/** What customers do about an outcome of a request. */
const advice: Readonly<Record<string, string>> = {
  success: 'The PDF was delivered.',
  client_left:
    'Your program closed the connection before it had the whole answer. Let it wait for 180 seconds.',
  simulated: 'A test key asked for this answer. Nothing went wrong.',
  EXPIRED_API_KEY: 'Create or rotate a key.',
  IP_NOT_ALLOWED:
    'The address is not among the IP restrictions of the key: add it, or find out who used the key.',
  INSUFFICIENT_PERMISSIONS: 'Use a key with the permission for this endpoint.',
  FEATURE_NOT_IN_PLAN: 'Leave the option out, or ask your operator for a plan that has it.',
  ACCOUNT_SUSPENDED: 'Ask your operator why the account is suspended.',
  QUOTA_EXCEEDED: 'Wait for the next month, or ask your operator for a larger plan.',
  RATE_LIMIT_EXCEEDED: 'Send requests more slowly, and wait for retryAfter seconds.',
  MISSING_FILE: 'Send the document as the field “file” of the form.',
  INVALID_PARAMETER: 'Correct the parameter that the message names.',
  INVALID_REQUEST: 'The upload broke off or was malformed. Send it again.',
  INVALID_FILE_TYPE: 'Send a Word document (DOCX), whatever the name of the file says.',
  FILE_TOO_LARGE: 'Make the document smaller, for example by compressing its pictures.',
  CORRUPTED_FILE: 'Open the document in a word processor, save it again, and send that.',
  PASSWORD_PROTECTED: 'Send the password, or remove the password from the document.',
  FETCH_FAILED: 'Check the address of the document, or send the document itself.',
  REQUEST_IN_PROGRESS: 'Wait for the first request with this Idempotency-Key.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new Idempotency-Key for each document.',
  CONVERSION_FAILED: 'Simplify the document, or split it. If that does not help, ask your operator.',
  INTERNAL_ERROR: 'Send it again; if that does not help, give the request id to your operator.',
  OVERLOADED: 'Send it again after the seconds in the Retry-After header.',
  SERVICE_UNAVAILABLE: 'Send it again after the seconds in the Retry-After header.',
};

export const adviceOn = (outcome: string): string => advice[outcome] ?? '';

/** What the guide says about an error. */
export const guideUrlOf = (code: string): string => `/v1/docs/guide/errors#${code.toLowerCase()}`;

/** Whether an outcome is the code of an error. */
export const isCode = (outcome: string): boolean => /^[A-Z_]+$/.test(outcome);
