// Verifies Google's ID tokens: OpenID Connect Core 1.0 (section 3.1.3.7). Only tokens in the form that Google issues are
// accepted. A token can't choose the algorithm or the URL of a key.

import { Problem } from '@kurs/contract';
import { email } from '@kurs/contract/wire';
import { type JWTPayload, type JWTVerifyGetKey, errors, jwtVerify } from 'jose';
import { z } from 'zod';

/** Configuration of the verification of Google's tokens. */
export interface GoogleProvider {
  /** Our client id at Google, which every token must have as its audience. */
  readonly clientId: string;
  /** Google's names as an issuer of tokens. Links are stored under the first name. */
  readonly issuers: readonly string[];
  /** Returns the public key that a token names. Throws `google_unavailable` if Google can't be reached. */
  readonly keyOf: JWTVerifyGetKey;
}

/** A person's identity at Google. */
export interface GoogleIdentity {
  readonly issuer: string;
  /** Permanent id of the Google account. Its e-mail address may pass to another person. */
  readonly subject: string;
  readonly email: string;
  /**
   * True if Google runs the mailbox: Gmail, or an organisation's domain. Google has verified any other address only once
   * (https://developers.google.com/identity/gsi/web/guides/verify-google-id-token).
   */
  readonly isMailboxOfGoogle: boolean;
}

/** Tolerated difference between Google's clock and ours, in seconds. */
const LEEWAY = 60;
/** Maximum age of a token, in seconds, even if its expiry is later. Google's tokens expire after an hour. */
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

/** Returns the problem for an invalid token. The reason becomes the problem's `cause`, which is only logged. */
const wrong = (reason: string): Problem => new Problem('google_wrong', { cause: reason });

/**
 * Verifies a token at the time `now`. `nonce`: the nonce of the page that requested the token. Returns the identity that the
 * token proves. Throws `google_wrong`, always with the same words, if signature, audience, time or nonce are wrong. Throws the
 * errors of `keyOf`.
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

/** Returns the claims of a token after verifying signature, issuer, audience and time. Throws the errors of `readIdToken`. */
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
