/** What signing in is asked and answered with, of members to the console and of operators to the dashboard. */

import { Type } from 'typebox';
import { named, time, timeOrNull } from '../../../operations/schema.ts';

export const setCookie = (description: string) =>
  ({ 'Set-Cookie': { type: 'string', description } }) as const;

/** What WebAuthn defines is passed on as it is. */
export const passedOn = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const SignInOptions = Type.Object(
  { options: passedOn('`PublicKeyCredentialRequestOptionsJSON` (WebAuthn).') },
  { $id: 'SignInOptions', description: 'What a browser asks an authenticator.' },
);

export const RegistrationOptions = Type.Object(
  { options: passedOn('`PublicKeyCredentialCreationOptionsJSON` (WebAuthn).') },
  { $id: 'RegistrationOptions', description: 'What a browser has an authenticator make.' },
);

export const OidcStart = Type.Object(
  { url: Type.String({ description: 'Address at the identity provider to go to.' }) },
  { $id: 'OidcStart', description: 'Where to sign in.' },
);

export const Passkey = Type.Object(
  {
    id: Type.String({ description: 'Id of the passkey.' }),
    name: Type.String({ description: 'Its name.' }),
    createdAt: time('When it was registered.'),
    lastUsedAt: timeOrNull('When it last signed in. `null`: never, apart from its registration.'),
  },
  { $id: 'Passkey', description: 'A passkey of who is signed in.' },
);

export const PasskeyList = Type.Object(
  { passkeys: Type.Array(named(Passkey), { description: 'In the order of their registration.' }) },
  { $id: 'PasskeyList', description: 'The passkeys of who is signed in.' },
);

export const OwnSession = Type.Object(
  {
    id: Type.String({ description: 'Id of the session.' }),
    signedInAt: time('When it began.'),
    idleUntil: time('When it ends if it is not used before.'),
    expiresAt: time('When it ends in any case.'),
    address: Type.String({ description: 'Address from which it began.' }),
    agent: Type.String({ description: 'The `User-Agent` of the browser.' }),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { $id: 'OwnSession', description: 'A session of who is signed in.' },
);

export const SessionList = Type.Object(
  { sessions: Type.Array(named(OwnSession), { description: 'The newest first.' }) },
  { $id: 'SessionList', description: 'The sessions of who is signed in.' },
);

export const passkeyExample = {
  id: 'pZ0m3…',
  name: 'Chrome on Linux',
  createdAt: '2026-11-21T08:00:00.000Z',
  lastUsedAt: null,
};

export const ownSessionExample = {
  id: 'ses_0f1e2d3c4b5a697887',
  signedInAt: '2026-11-21T08:00:00.000Z',
  idleUntil: '2026-11-21T08:30:00.000Z',
  expiresAt: '2026-11-21T20:00:00.000Z',
  address: '192.0.2.7',
  agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  current: true,
};

const base64url = (maxLength: number) => Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength });
const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: Type.Literal('public-key', { type: 'string' }),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
};

/** `AuthenticationResponseJSON` (WebAuthn). */
const assertion = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(4_000),
      authenticatorData: base64url(4_000),
      signature: base64url(4_000),
      userHandle: Type.Optional(base64url(100)),
    }),
  },
  { description: '`AuthenticationResponseJSON` (WebAuthn).' },
);

/** `RegistrationResponseJSON` (WebAuthn). */
const attestation = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(4_000),
      attestationObject: base64url(20_000),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    }),
  },
  { description: '`RegistrationResponseJSON` (WebAuthn).' },
);

const token = Type.String({ minLength: 1, maxLength: 100, description: 'What follows the `#` of the link.' });
const passkeyName = Type.String({ minLength: 1, maxLength: 100, description: 'Name of the passkey.' });

export const emptyBody = Type.Object({}, { additionalProperties: false });
export const signInBody = Type.Object({ response: assertion }, { additionalProperties: false });
export const tokenBody = Type.Object({ token }, { additionalProperties: false });
export const acceptBody = Type.Object(
  {
    token,
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the person.' }),
    passkey: passkeyName,
    response: attestation,
  },
  { additionalProperties: false },
);
export const passkeyBody = Type.Object(
  { name: passkeyName, response: attestation },
  { additionalProperties: false },
);
/** What the identity provider sent back. */
export const answerBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 8_000,
      description: 'The query of the address to which the browser came back.',
    }),
  },
  { additionalProperties: false },
);

export const passkeyParams = Type.Object({
  passkey: Type.String({ minLength: 1, maxLength: 1_400, description: 'Id of the passkey.' }),
});
export const sessionParams = Type.Object({
  session: Type.String({ pattern: '^ses_[0-9a-f]{18}$', description: 'Id of the session.' }),
});
