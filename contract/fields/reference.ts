// Who sent somebody, as links, the site's cookie and calls name it: `CODE`, `CODE.campaign`, with the moment of the click and what
// the link says to the affiliate alone behind it, `CODE.campaign~1766750000~sub`.

/** By whose link somebody came. */
export interface Reference {
  /** An account's referral code, or its alias, as it was written. */
  readonly code: string;
  /** Empty: none. */
  readonly campaign: string;
  /** What the link says to the affiliate alone; empty: nothing. */
  readonly sub: string;
  /** When it was clicked; undefined where that isn't known. */
  readonly at: Date | undefined;
}

/** What stands in a link: a code or an alias, and a campaign behind a dot. */
const LINKED = '[A-Za-z0-9_-]{1,31}(?:\\.[A-Za-z0-9_-]{1,32})?';
/** What a link may say to the affiliate: letters, digits and signs that each print. */
const SUB = '[\\x21-\\x7e]{0,255}';
export const REFERENCE: RegExp = /* @__PURE__ */ new RegExp(`^${LINKED}(?:~\\d{1,11}(?:~${SUB})?)?$`);
const OF_LINK: RegExp = /* @__PURE__ */ new RegExp(`^${LINKED}$`);
const OF_SUB: RegExp = /* @__PURE__ */ new RegExp(`^${SUB}$`);

const LONG_SUB: RegExp = /* @__PURE__ */ new RegExp(`^${LINKED}~\\d{1,11}~[\\x21-\\x7e]{256}`);
/**
 * The longest part that a link may name, behind spaces, brackets, quotes and what nobody sees: neither a code nor a campaign is cut
 * short.
 */
const SHARED: RegExp = /* @__PURE__ */ new RegExp(
  `^[\\t\\p{Zs}\\p{Cf}"'\`([*\\p{Pi}\u201A\u201E]*([A-Za-z0-9_-]{1,31}(?![A-Za-z0-9_-])(?:\\.[A-Za-z0-9_-]{1,32}(?![A-Za-z0-9_-]))?)`,
  'u',
);

/** True for a reference whose note is longer than what is kept. */
export const hasLongSub = (text: string): boolean => LONG_SUB.test(text);

/**
 * The references that a link's `ref` may name as people share links, with signs around them: the longest first, then without hyphens
 * and underscores at its end, and at both. Empty where the text names none.
 */
export function linkedReferences(text: string): string[] {
  const longest = SHARED.exec(text)?.[1] ?? '';
  const ended = longest.replace(/[_-]+$/, '');
  return [...new Set([longest, ended, ended.replace(/^[_-]+/, '')])].filter((one) => OF_LINK.test(one));
}

/** A reference as it was shared; what is none stays as it was. */
export const sharedReference = (text: string): string =>
  REFERENCE.test(text) || hasLongSub(text) ? text : (linkedReferences(text)[0] ?? text);

/** Reads a reference; undefined for what is none. */
export function readReference(text: string): Reference | undefined {
  if (!REFERENCE.test(text)) return undefined;
  const [linked = '', at] = text.split('~', 2);
  const [code = '', campaign = ''] = linked.split('.');
  const sub = text.slice(linked.length + 1 + (at ?? '').length + 1);
  return { code, campaign: campaign.toLowerCase(), sub, at: at === undefined ? undefined : new Date(Number(at) * 1_000) };
}

/**
 * A link's `ref` and `sub` with the moment of the click, as the cookie keeps it; undefined where the `ref` names nobody. A `sub`
 * that can't be kept is left out.
 */
export function clickedReference(ref: string, sub: string, at: Date): string | undefined {
  if (!OF_LINK.test(ref)) return undefined;
  const kept = OF_SUB.test(sub) ? sub : '';
  return `${ref}~${Math.floor(at.getTime() / 1_000)}${kept === '' ? '' : `~${kept}`}`;
}
