/** An authenticator in software (WebAuthn, ES256, attestation "none"), which does what a test wants of it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Site {
  readonly host: string;
  readonly origin: string;
}

/** Differences from the answer of a browser. */
export interface Lies {
  readonly origin?: string;
  readonly host?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly userHandle?: string;
  readonly id?: string;
  /** User present, user verified. */
  readonly flags?: number;
  readonly counter?: number;
  readonly crossOrigin?: boolean;
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

const PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

export class Authenticator {
  readonly #site: Site;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly id = randomBytes(16).toString('base64url');
  #userHandle = '';
  counter = 0;

  constructor(site: Site) {
    this.#site = site;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#publicKey = publicKey;
  }

  /** `RegistrationResponseJSON` */
  register({ challenge, user }: CreationOptions, lies: Lies = {}) {
    // It stays with its first user.
    this.#userHandle ||= user.id;
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#head({ ...lies, flags: (lies.flags ?? PRESENT_AND_VERIFIED) | HAS_CREDENTIAL }),
      ...[Buffer.alloc(16), length, id, this.#coseKey()],
    ]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
      ...[text('authData'), bytes(authData)],
    ]);
    return {
      ...this.#credential(lies),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, lies).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** `AuthenticationResponseJSON` */
  signIn({ challenge }: { readonly challenge: string }, lies: Lies = {}) {
    const authData = this.#head(lies);
    const clientData = this.#clientData('webauthn.get', challenge, lies);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return {
      ...this.#credential(lies),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#key).toString('base64url'),
        userHandle: lies.userHandle ?? this.#userHandle,
      },
    };
  }

  #credential({ id = this.id }: Lies) {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const { origin } = this.#site;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...lies }));
  }

  #head({ host = this.#site.host, flags = PRESENT_AND_VERIFIED, counter = this.counter }: Lies): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags]), count]);
  }

  /** COSE (RFC 9053): EC2, ES256, P-256. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

/** CBOR (RFC 8949). */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

function bytes(value: Buffer): Buffer {
  if (value.length < 256) return Buffer.concat([Buffer.from([0x58, value.length]), value]);
  return Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value]);
}
