// Tells devices behind one address apart, for limits and for the scope of Idempotency-Keys: by a random cookie that the site sets
// with a browser's first form. The cookie names nobody and opens nothing.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkOf } from './callers.ts';
import type { Tokens } from '../../secrets/secrets.ts';

export const DEVICE_COOKIE = 'kurs_device';
const YEAR_SECONDS = 365 * 24 * 3_600;
const FORM = /^([\w-]{16})\.([\w-]{43})$/;

export type Devices = {
  /**
   * Returns the key of a device by its headers: from our cookie if it is valid, else from what all browsers of a kind in one
   * network share. So nobody evades a limit by dropping or inventing the cookie.
   */
  keyOf(headers: IncomingHttpHeaders, ip: string): string;
  /** Returns the browser's key by its cookie; undefined without one, as the shared key says nothing about one browser. */
  browserOf(headers: IncomingHttpHeaders): string | undefined;
  /** Returns the key of a new browser, and the `Set-Cookie` for it; undefined if cookies can't be signed. */
  make(isSecure: boolean): { readonly browser: string; readonly cookie: string } | undefined;
  /** Returns the `Set-Cookie` for the sender; undefined if it has the cookie. */
  introduce(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined;
};

/** Identifies devices by cookies that are signed with the server's keys; without `tokens` no device has one. */
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
