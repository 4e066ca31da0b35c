/** What signing in is asked and answered with, of members to the console and of operators to the dashboard. */
import { Type } from 'typebox';
import { closed } from '../../../operations/schema.ts';

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
  { $id: 'RegistrationOptions', description: 'What a browser asks an authenticator to make.' },
);

export const OidcStart = Type.Object(
  { url: Type.String({ description: 'Address at the identity provider to go to.' }) },
  { $id: 'OidcStart', description: 'Where to sign in.' },
);

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

export const emptyBody = closed({});
export const signInBody = closed({ response: assertion });
export const tokenBody = closed({ token });
export const acceptBody = closed({
  token,
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the person.' }),
  passkey: passkeyName,
  response: attestation,
});
export const passkeyBody = closed({ name: passkeyName, response: attestation });
/** What the identity provider sent back. */
export const answerBody = closed({
  query: Type.String({
    minLength: 1,
    maxLength: 8_000,
    description: 'The query of the address to which the browser came back.',
  }),
});
