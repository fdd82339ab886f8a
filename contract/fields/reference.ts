// References to an affiliate, in links, the site's cookie and calls: `CODE` or `CODE.campaign`, optionally followed by the moment
// of the click and the affiliate's own note, as in `CODE.campaign~1766750000~sub`.

/** The affiliate and campaign that sent a visitor. */
export interface Reference {
  /** The affiliate's referral code or alias, as written. */
  readonly code: string;
  /** Campaign; empty for none. */
  readonly campaign: string;
  /** The affiliate's own note in the link; empty for none. */
  readonly sub: string;
  /** Moment of the click; undefined if unknown. */
  readonly at: Date | undefined;
}

/** A code or alias in a link, optionally with a dot and a campaign. */
const LINKED = '[A-Za-z0-9_-]{1,31}(?:\\.[A-Za-z0-9_-]{1,32})?';
/** The affiliate's own note: printable ASCII characters. */
const SUB = '[\\x21-\\x7e]{0,255}';
export const REFERENCE: RegExp = /* @__PURE__ */ new RegExp(`^${LINKED}(?:~\\d{1,11}(?:~${SUB})?)?$`);
const OF_LINK: RegExp = /* @__PURE__ */ new RegExp(`^${LINKED}$`);
const OF_SUB: RegExp = /* @__PURE__ */ new RegExp(`^${SUB}$`);

const LONG_SUB: RegExp = /* @__PURE__ */ new RegExp(`^${LINKED}~\\d{1,11}~[\\x21-\\x7e]{256}`);
/**
 * Matches the longest reference after spaces, brackets, quotes and invisible characters. A code or campaign that exceeds the
 * maximum length is not matched in part.
 */
const SHARED: RegExp = /* @__PURE__ */ new RegExp(
  `^[\\t\\p{Zs}\\p{Cf}"'\`([*\\p{Pi}\u201A\u201E]*([A-Za-z0-9_-]{1,31}(?![A-Za-z0-9_-])(?:\\.[A-Za-z0-9_-]{1,32}(?![A-Za-z0-9_-]))?)`,
  'u',
);

/** True for a reference whose note exceeds the maximum length. */
export const hasLongSub = (text: string): boolean => LONG_SUB.test(text);

/**
 * Returns the references that the `ref` of a shared link may mean, since people copy links with punctuation around them. The
 * longest comes first. Then comes the same without `-` and `_` at the end, then without these at both ends. Empty if the text
 * contains no reference.
 */
export function linkedReferences(text: string): string[] {
  const longest = SHARED.exec(text)?.[1] ?? '';
  const ended = longest.replace(/[_-]+$/, '');
  return [...new Set([longest, ended, ended.replace(/^[_-]+/, '')])].filter((one) => OF_LINK.test(one));
}

/** Returns the reference in a shared text; the text itself if it contains none. */
export const sharedReference = (text: string): string =>
  REFERENCE.test(text) || hasLongSub(text) ? text : (linkedReferences(text)[0] ?? text);

/** Parses a reference; returns undefined for other text. */
export function readReference(text: string): Reference | undefined {
  if (!REFERENCE.test(text)) return undefined;
  const [linked = '', at] = text.split('~', 2);
  const [code = '', campaign = ''] = linked.split('.');
  const sub = text.slice(linked.length + 1 + (at ?? '').length + 1);
  return { code, campaign: campaign.toLowerCase(), sub, at: at === undefined ? undefined : new Date(Number(at) * 1_000) };
}

/**
 * Returns a link's `ref` and `sub` with the moment of the click, as the cookie stores it; undefined if `ref` is no reference. An
 * invalid `sub` is left out.
 */
export function clickedReference(ref: string, sub: string, at: Date): string | undefined {
  if (!OF_LINK.test(ref)) return undefined;
  const validSub = OF_SUB.test(sub) ? sub : '';
  return `${ref}~${Math.floor(at.getTime() / 1_000)}${validSub === '' ? '' : `~${validSub}`}`;
}
