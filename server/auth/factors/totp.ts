// Codes of an authenticator: TOTP (RFC 6238), with the parameters that all authenticators support (SHA-1, 6 digits, 30 seconds).

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';

/**
 * Parameters of TOTP. `stepSeconds`: time for which a code is shown; `window`: number of steps by which the authenticator's
 * clock may be off.
 */
export const TOTP = { stepSeconds: 30, window: 1, digits: 6 } as const;

/** Returns a new secret of 160 bits, as RFC 4226 recommends. */
export const newSecret = (): Buffer => randomBytes(20);

/** Returns a secret in the form that people type into an authenticator (base 32). */
export const writtenSecret = (secret: Uint8Array): string => base32nopad.encode(Uint8Array.from(secret));

/** Returns the number of the time step at a moment. */
export const stepAt = (at: Date): number => Math.floor(at.getTime() / 1_000 / TOTP.stepSeconds);

/** Returns the code of a time step (HOTP, RFC 4226 section 5.3). */
export function codeOfStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  const value = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** TOTP.digits;
  return value.toString().padStart(TOTP.digits, '0');
}

/**
 * Returns the time step to which a code belongs, among the steps near the moment `at` that are above the last accepted step
 * `after`. Undefined if no such step has this code.
 */
export function stepOfCode(secret: Uint8Array, code: string, { at, after }: { at: Date; after: number }): number | undefined {
  const now = stepAt(at);
  let found: number | undefined;
  for (let step = now - TOTP.window; step <= now + TOTP.window; step += 1) {
    const fits = code.length === TOTP.digits && timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code));
    if (fits && step > after) found ??= step;
  }
  return found;
}

/** Returns the URI that an authenticator reads from a QR code (key URI format of Google Authenticator). */
export function otpauthUrl(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${writtenSecret(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
}
