// A simulated Google for tests, which signs any token.

import { type KeyObject, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { errors } from 'jose';
import { wallClock } from '../../platform/index.ts';
import type { GoogleProvider } from './google-token.ts';

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const [own, other] = [pair(), pair()];
const CLIENT = 'kurs.apps.example';

const textOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns the claims of a valid token. `more`: claims that are added or changed. */
export function claimsOf(email: string, nonce: string, more: Readonly<Record<string, unknown>> = {}) {
  const now = Math.floor(wallClock().getTime() / 1_000);
  return {
    ...{ iss: 'https://accounts.google.com', aud: CLIENT, azp: CLIENT, sub: `sub of ${email}`, email, email_verified: true },
    ...{ iat: now, exp: now + 3_600, nonce, hd: 'example.org' },
    ...more,
  };
}

/** Returns a token, which by default the simulated Google's key signs. */
export function tokenOf(claims: object, header: Readonly<Record<string, unknown>> = {}, key: KeyObject = own.privateKey): string {
  const said = `${textOf({ alg: 'RS256', kid: 'own', typ: 'JWT', ...header })}.${textOf(claims)}`;
  return `${said}.${sign('RSA-SHA256', Buffer.from(said), key).toString('base64url')}`;
}

/**
 * Returns a token with an HMAC in place of a signature. Some libraries once accepted such a token if the secret was the public
 * key.
 */
export function tokenByMac(claims: object, secret: string | Buffer): string {
  const said = `${textOf({ alg: 'HS256', kid: 'own', typ: 'JWT' })}.${textOf(claims)}`;
  return `${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`;
}

/** Returns an unsigned token. */
export const tokenUnsigned = (claims: object): string => `${textOf({ alg: 'none', kid: 'own' })}.${textOf(claims)}.`;

const provider: GoogleProvider = {
  clientId: CLIENT,
  issuers: ['https://accounts.google.com', 'accounts.google.com'],
  keyOf: async ({ kid }) => {
    if (kid !== 'own') throw new errors.JWKSNoMatchingKey();
    return own.publicKey;
  },
};

/** The simulated Google (`provider`), its own key pair, and another key pair. */
export const testGoogle = { provider, own, other };
