/** Passkeys of this browser (WebAuthn). */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { change, Failure, post, signIn, type WithToken } from '../api.ts';
import type { Passkey } from '../api-types.ts';
import { browserOf } from './browser-name.ts';

/** An invitation, with what the browser has an authenticator make. */
interface Open {
  readonly options?: unknown;
}

/** Has the browser ask for a passkey, and signs in with it. @param path takes its answer. @throws Failure */
export async function signInWithPasskey<Session extends WithToken>(path: string): Promise<Session> {
  const { options } = await post<{ options: unknown }>('/sign-in', {});
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const response = await orFailure(startAuthentication({ optionsJSON }));
  return signIn(path, { response });
}

/** @throws Failure where it is not open any more. */
export function readInvitation<Invitation extends Open>(token: string): Promise<Invitation> {
  return post('/invitation', { token });
}

/** Has the browser make a passkey, and accepts an invitation with it. @throws Failure */
export async function acceptInvitation<Session extends WithToken>(
  token: string,
  name: string,
): Promise<Session> {
  // Anew: what was asked for with the page may be too old.
  const { options } = await readInvitation(token);
  const response = await made(options);
  return signIn('/invitation/accept', { token, name, passkey: browserOf(navigator.userAgent), response });
}

/** Has the browser make another passkey. @throws Failure */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await change<{ options: unknown }>('POST', '/passkeys/options', {});
  await change<Passkey>('POST', '/passkeys', { name, response: await made(options) });
}

function made(options: unknown) {
  return orFailure(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));
}

/** Replaces the browsers' messages about a failed passkey, which are for programmers. */
async function orFailure<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'InvalidStateError') {
      throw new Failure('PASSKEY', 'This device has a passkey of yours already.');
    }
    if (name === 'SecurityError') {
      throw new Failure('PASSKEY', 'Passkeys do not work under this address. Open this page under its own.');
    }
    throw new Failure(
      'PASSKEY',
      'No passkey came from your device: it was cancelled, took too long, or has none.',
    );
  }
}
