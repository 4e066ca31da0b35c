/** E-mail addresses of people. */
import { OperatorError } from '../../errors.ts';
import { assertName } from './records.ts';

const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,189}$/;

/** An address as it is stored: in small letters, as no host tells capitals apart. @throws OperatorError */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!EMAIL.test(email)) throw new OperatorError('an e-mail address looks like anna@example.com');
  assertName(email);
  return email;
}
