// A Google ID token: OpenID Connect Core 1.0 (section 3.1.3.7) and RFC 7515, in the one form that Google signs. Nothing that
// a token says of itself decides how it is checked: neither an algorithm nor where a key lies.

import { type KeyObject, constants, verify } from 'node:crypto';
import { Problem } from '@kurs/contract';
import { z } from 'zod';

/** Whom a token is believed from, and for whom it must be. */
export interface GoogleProvider {
  /** Ours, at Google: the audience of every token. */
  readonly clientId: string;
  /** How Google writes its own name; the first is what accounts are kept under. */
  readonly issuers: readonly string[];
  /** The public key of that id, undefined where Google has none such. Throws `google_unavailable` where it can't be asked. */
  readonly keyOf: (kid: string) => Promise<KeyObject | undefined>;
}

/** Who somebody is to Google. */
export interface GoogleIdentity {
  readonly issuer: string;
  /** The account, for ever; its address may change hands. */
  readonly subject: string;
  readonly email: string;
  /**
   * Google itself runs the mailbox: Gmail, or an organisation's domain. Of any other address it has seen once that it was read
   * (https://developers.google.com/identity/gsi/web/guides/verify-google-id-token).
   */
  readonly isMailboxOfGoogle: boolean;
}

/** Seconds by which Google's clock and ours may differ. */
const LEEWAY = 60;
const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

const header = z.object({
  alg: z.literal('RS256'),
  kid: z.string().min(1).max(200),
  typ: z.literal('JWT').optional(),
  crit: z.undefined().optional(),
});

const claims = z.object({
  iss: z.string(),
  aud: z.string(),
  azp: z.string().optional(),
  sub: z.string().min(1).max(255),
  exp: z.number(),
  iat: z.number(),
  nbf: z.number().optional(),
  nonce: z.string().optional(),
  email: z.email().max(254),
  email_verified: z.boolean(),
  hd: z.string().optional(),
});
type Claims = z.output<typeof claims>;

/** The reason stands in the problem's cause, for the log. */
const wrong = (reason: string): Problem => new Problem('google_wrong', { cause: reason });

/**
 * Who a token shows, at a moment, to whoever asked for it with a nonce. Throws `google_wrong` for every token that isn't
 * Google's, ours, of this minute and for this nonce, with one and the same words; `google_unavailable` as `keyOf` does.
 */
export async function readIdToken(
  token: string,
  { clientId, issuers, keyOf }: GoogleProvider,
  { nonce, now }: { nonce: string; now: Date },
): Promise<GoogleIdentity> {
  const [, head = '', body = '', signature = ''] = FORM.exec(token) ?? [];
  const { kid } = parsed(header, head, 'header');
  const key = await keyOf(kid);
  if (!key) throw wrong('key');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${body}`),
    { key, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw wrong('signature');
  const said = parsed(claims, body, 'claims');
  if (!issuers.includes(said.iss)) throw wrong('issuer');
  if (said.aud !== clientId || (said.azp !== undefined && said.azp !== clientId)) throw wrong('audience');
  checkTime(said, now.getTime() / 1_000);
  if (said.nonce !== nonce) throw wrong('nonce');
  if (!said.email_verified) throw wrong('email');
  const isMailboxOfGoogle = said.hd !== undefined || /@(gmail|googlemail)\.com$/i.test(said.email);
  return { issuer: issuers[0] as string, subject: said.sub, email: said.email, isMailboxOfGoogle };
}

function checkTime({ exp, iat, nbf = iat }: Claims, now: number): void {
  if (now >= exp + LEEWAY) throw wrong('expired');
  if (now < Math.max(iat, nbf) - LEEWAY) throw wrong('not yet');
}

/** A part of a token as JSON of that shape. Throws `google_wrong`. */
function parsed<S extends z.ZodType>(shape: S, part: string, reason: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    throw wrong(reason);
  }
  const read = shape.safeParse(value);
  if (!read.success) throw wrong(reason);
  return read.data;
}
