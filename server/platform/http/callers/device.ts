// Distinguishes devices behind one IP address, for limits and for the scope of Idempotency-Keys. The site sets a random cookie
// with a browser's first form. The cookie identifies no person and grants no access.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkOf } from './callers.ts';
import type { Tokens } from '../../secrets/secrets.ts';

export const DEVICE_COOKIE = 'kurs_device';
const YEAR_SECONDS = 365 * 24 * 3_600;
const FORM = /^([\w-]{16})\.([\w-]{43})$/;

export type Devices = {
  /**
   * Returns the key of a device. A browser with a valid device cookie has a key of its own. All other browsers of a network
   * that send similar headers share a key, so dropping or inventing the cookie evades no limit.
   */
  keyOf(headers: IncomingHttpHeaders, ip: string): string;
  /** Returns the browser's own key by its device cookie; undefined without a valid cookie. */
  browserOf(headers: IncomingHttpHeaders): string | undefined;
  /**
   * Returns the key of a new browser, and the `Set-Cookie` header for it. Undefined if the server has no keys to sign the
   * cookie.
   */
  make(isSecure: boolean): { readonly browser: string; readonly cookie: string } | undefined;
  /** Returns a `Set-Cookie` header for a browser without the device cookie; undefined if the browser has the cookie. */
  introduce(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined;
};

/** Identifies devices by cookies that are signed with the server's keys. Without `tokens` no device gets a cookie. */
export function openDevices(tokens?: Tokens): Devices {
  const idOf = (headers: IncomingHttpHeaders): string | undefined => {
    const [, id, signature] = FORM.exec(cookieOf(headers.cookie) ?? '') ?? [];
    return id !== undefined && signature !== undefined && tokens?.check(signature, 'device', id, 1) ? id : undefined;
  };
  const make: Devices['make'] = (secure) => {
    if (!tokens) return undefined;
    const id = randomBytes(12).toString('base64url');
    const value = `${id}.${tokens.make('device', id, 1)}`;
    const flags = `Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    return { browser: hashOf([id]), cookie: `${DEVICE_COOKIE}=${value}; ${flags}` };
  };
  return {
    keyOf(headers, ip) {
      const id = idOf(headers);
      return hashOf(id === undefined ? [networkOf(ip), headers['user-agent'], headers['accept-language']] : [id]);
    },
    browserOf(headers) {
      const id = idOf(headers);
      return id === undefined ? undefined : hashOf([id]);
    },
    make,
    introduce: (headers, secure) => (idOf(headers) === undefined ? make(secure)?.cookie : undefined),
  };
}

function cookieOf(header: string | undefined): string | undefined {
  const start = `${DEVICE_COOKIE}=`;
  const found = header?.split(';').find((part) => part.trimStart().startsWith(start));
  return found?.trim().slice(start.length);
}

const hashOf = (traits: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(traits)).digest('base64url').slice(0, 22);
