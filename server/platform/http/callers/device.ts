// What tells one device behind an address from another, for limits and for whose Idempotency-Key it is: a random cookie
// that our site gives a browser with its first form. It names nobody and opens nothing.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkOf } from './callers.ts';
import type { Tokens } from '../../secrets/secrets.ts';

export const DEVICE_COOKIE = 'kurs_device';
const YEAR_SECONDS = 365 * 24 * 3_600;
const FORM = /^([\w-]{16})\.([\w-]{43})$/;

export type Devices = {
  /**
   * The key of anyone who sends these headers: of the cookie where it is ours, else of what all browsers of a kind behind
   * one network share. So nobody is counted less by dropping or inventing the cookie.
   */
  keyOf(headers: IncomingHttpHeaders, ip: string): string;
  /** The browser's own key by its cookie; undefined for one without: what others share with it tells nothing of it. */
  browserOf(headers: IncomingHttpHeaders): string | undefined;
  /** A new browser's key, and the `Set-Cookie` that makes it known from now on; undefined where we sign none. */
  make(secure: boolean): { readonly browser: string; readonly cookie: string } | undefined;
  /** The `Set-Cookie` that makes the sender known from now on; undefined where the cookie is there. */
  introduce(headers: IncomingHttpHeaders, secure: boolean): string | undefined;
};

/** Knows devices by cookies signed with the server's keys; without `tokens` nobody has one. */
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
