// A Google ID token: OpenID Connect Core 1.0 (section 3.1.3.7), in the one form that Google signs. Nothing that a token says
// of itself decides how it is checked: neither an algorithm nor where a key lies.

import { Problem } from '@kurs/contract';
import { email } from '@kurs/contract/wire';
import { type JWTPayload, type JWTVerifyGetKey, errors, jwtVerify } from 'jose';
import { z } from 'zod';

/** The issuers whose tokens are accepted, and the audience that they must name. */
export interface GoogleProvider {
  /** Ours, at Google: the audience of every token. */
  readonly clientId: string;
  /** How Google writes its own name; the first is what accounts are kept under. */
  readonly issuers: readonly string[];
  /** The key that a token names. Throws `google_unavailable` if Google can't be asked. */
  readonly keyOf: JWTVerifyGetKey;
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
/** Seconds since it was made for which no token is taken, whatever it says; Google's are good for an hour. */
const OLDEST = 86_400;

const claims = z.object({
  aud: z.string(),
  azp: z.string().optional(),
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  email,
  email_verified: z.boolean(),
  hd: z.string().optional(),
});

/** The reason stands in the problem's cause, for the log. */
const wrong = (reason: string): Problem => new Problem('google_wrong', { cause: reason });

/**
 * What a token proves about its holder, at a moment, to the page that asked for it with a nonce. Throws `google_wrong`, in the
 * same words, for every token that isn't Google's, for us, of this hour and for this nonce; `google_unavailable` as `keyOf`
 * does.
 */
export async function readIdToken(
  token: string,
  provider: GoogleProvider,
  { nonce, now }: { nonce: string; now: Date },
): Promise<GoogleIdentity> {
  const read = claims.safeParse(await verified(token, provider, now));
  if (!read.success) throw wrong('claims');
  const { aud, azp = aud, sub, email, hd, ...said } = read.data;
  if (azp !== provider.clientId) throw wrong('audience');
  if (said.nonce !== nonce) throw wrong('nonce');
  if (!said.email_verified) throw wrong('email');
  const isMailboxOfGoogle = hd !== undefined || /@(gmail|googlemail)\.com$/i.test(email);
  return { issuer: provider.issuers[0] as string, subject: sub, email, isMailboxOfGoogle };
}

/** The claims of a token whose signature, issuer, audience and time are right. Throws as `readIdToken`. */
async function verified(token: string, { clientId, issuers, keyOf }: GoogleProvider, now: Date): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['RS256'],
      issuer: [...issuers],
      audience: clientId,
      clockTolerance: LEEWAY,
      currentDate: now,
      maxTokenAge: OLDEST,
      requiredClaims: ['exp', 'nonce'],
    });
    return payload;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw wrong(error instanceof errors.JOSEError ? reasonOf(error) : 'key');
  }
}

const reasonOf = (error: errors.JOSEError): string =>
  error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired ? error.claim : error.code;
