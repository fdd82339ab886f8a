/**
 * Whose link led here, by the cookie that the site keeps of it (`server/entry-link.ts`): what goes along where an account may
 * be opened. Nothing for who came without one.
 */
export function referral(): { referral_code?: string } {
  const [, code] = /(?:^|; )kurs_ref=([A-Za-z0-9._-]{1,64})(?:;|$)/.exec(document.cookie) ?? [];
  return code === undefined ? {} : { referral_code: code };
}
