/** WebAuthn (W3C Recommendation, level 2): requests to authenticators, and verification of their answers. */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey } from './member.ts';

export type { AuthenticationResponseJSON, RegistrationResponseJSON };

/** The site for which passkeys are made. */
export interface Site {
  /** The RP id: its host. */
  readonly host: string;
  readonly origin: string;
}

/** How long the browser waits for a person, in milliseconds. */
const TIMEOUT_MS = 300_000;
/** EdDSA, ES256 and RS256, whatever Node knows besides. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded when needed: it takes 30 MB of memory and a quarter of a second. */
const library = () => import('@simplewebauthn/server');

/** Loads the library, so that no request to Redis waits for it. */
export async function loadWebAuthn(): Promise<void> {
  await library();
}

type Challenge = Uint8Array<ArrayBuffer>;

/** Options to register a passkey that identifies its user. */
export async function registrationOptions(
  { host }: Site,
  { handle, email, name }: { readonly handle: string; readonly email: string; readonly name: string },
  challenge: Challenge,
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Platen',
    rpID: host,
    userID: Buffer.from(handle, 'base64url'),
    userName: email,
    userDisplayName: name,
    challenge,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Options to sign in with a passkey. */
export async function signInOptions(
  { host }: Site,
  challenge: Challenge,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: host,
    challenge,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });
}

/** The new passkey. @param isOurs whether a challenge is. @throws Error if the answer is not valid. */
export async function readRegistration(
  { host, origin }: Site,
  response: RegistrationResponseJSON,
  isOurs: (challenge: string) => boolean,
): Promise<Omit<Passkey, 'name' | 'createdAt' | 'lastUsedAt'>> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: isOurs,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!registrationInfo) throw new Error('the attestation is not right');
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/**
 * The passkey's new signature counter, from which the caller recognises a copy. The library would check that before the
 * signature, and the time would tell that the passkey is known.
 *
 * @throws Error as above.
 */
export async function readSignIn(
  { host, origin }: Site,
  response: AuthenticationResponseJSON,
  isOurs: (challenge: string) => boolean,
  { id, publicKey, transports }: Pick<Passkey, 'id' | 'publicKey' | 'transports'>,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: isOurs,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    credential: {
      id,
      publicKey: Buffer.from(publicKey, 'base64url'),
      counter: 0,
      transports: transports as AuthenticatorTransport[],
    },
  });
  if (!verified) throw new Error('the signature is not right');
  return authenticationInfo.newCounter;
}

/** The challenge that a browser answered, in base64url. @throws Error if there is none. */
export function challengeIn({
  response,
}: {
  readonly response: { readonly clientDataJSON: string };
}): string {
  const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
  if (typeof data?.challenge !== 'string') throw new Error('there is no challenge');
  return data.challenge;
}
