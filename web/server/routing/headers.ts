import { type Exposure, frameAncestors } from '@kurs/contract';
import type { Policy } from '../../entries/entry.ts';
import type { SiteConfig } from '../../site.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

const ALL: Headers = [
  ['x-content-type-options', 'nosniff'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
];

/** Header against frames, for browsers that don't support `frame-ancestors`. */
const NO_FRAME: Headers = [['x-frame-options', 'DENY']];

/** Headers of all answers of the site except pages. */
export const COMMON_HEADERS: Headers = [...ALL, ...NO_FRAME];

/**
 * Returns the headers of a page, by its settings for frames and the referrer. With the default referrer policy, forms send our
 * origin, and other sites don't see the page's URL. With Google's sign-in, windows that the page opens may communicate with the
 * page, because Google's button needs this.
 */
export function pageHeaders(google: SiteConfig['google'], { framing, referrer }: Exposure = {}): Headers {
  const opener = google ? 'same-origin-allow-popups' : 'same-origin';
  return [
    ...ALL.map(([name, value]) => [name, name === 'cross-origin-opener-policy' ? opener : value] as const),
    ...(framing === 'anyone' ? [] : NO_FRAME),
    ['referrer-policy', referrer ?? 'same-origin'],
  ];
}

const TRUSTED_TYPES = ["require-trusted-types-for 'script'", 'trusted-types kurs'];

/**
 * Returns the content security policy of a page. It allows files of our own origin of the kinds in `loads`, the inlined style by
 * its hash, and no inline script. Text becomes code or HTML only through the Trusted Types policy `kurs` (the bot check's worker,
 * configured scripts).
 *
 * - `forms`: origins of providers to which an order's page posts a payment's form.
 * - `fetched`: other origins from which the page fetches data.
 * - `api`: the API's origin, if it isn't ours.
 * - `google`, `botCheck`, `chat`: third-party scripts. A script from another origin gets exactly the sources that it needs. Such
 *   scripts make code from text without our policy, so violations of Trusted Types are then only reported.
 * - `exposure`: says who may show the page in a frame.
 */
export function contentSecurityPolicy(
  { loads }: Pick<Policy, 'loads'>,
  cssHash: string,
  {
    isSecure,
    forms = [],
    fetched = [],
    api,
    google,
    botCheck,
    chat,
    exposure,
  }: {
    isSecure: boolean;
    forms?: readonly string[];
    fetched?: readonly string[];
    api?: string | undefined;
    exposure?: Exposure;
  } & Scripts,
): Headers {
  const ofApi = api === undefined ? [] : [api];
  const others = lettingIn({ google, botCheck, chat });
  const sources = (name: string, ...allowed: readonly string[]): string => [name, "'self'", ...allowed].join(' ');
  const ofKind = (kind: Policy['loads'][number], ...allowed: readonly string[]): string[] =>
    loads.includes(kind) ? [sources(`${kind}-src`, ...allowed)] : [];
  // If the policy contains a hash, browsers ignore 'unsafe-inline'. So the hash is left out if a third-party script needs inline
  // styles.
  const style = [...(others.style.includes(INLINE) ? [] : [`'${cssHash}'`]), ...others.style];
  const enforced = [
    "default-src 'none'",
    sources('script-src', ...others.script),
    ...(loads.includes('style') ? ofKind('style', ...style) : [`style-src ${style.join(' ')}`]),
    ...ofKind('img', ...ofApi, ...others.img),
    ...ofKind('font', ...others.font),
    sources('connect-src', ...ofApi, ...others.connect, ...fetched),
    ...(others.frame.length > 0 ? [`frame-src ${others.frame.join(' ')}`] : []),
    ...ofKind('worker', ...others.worker),
    ...ofKind('manifest'),
    sources('form-action', ...forms),
    "base-uri 'none'",
    frameAncestors(exposure),
    ...(others.script.length === 0 ? TRUSTED_TYPES : []),
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ];
  return [
    ['content-security-policy', enforced.join('; ')],
    ...(others.script.length === 0 ? [] : [['content-security-policy-report-only', TRUSTED_TYPES.join('; ')] as const]),
  ];
}

interface Scripts {
  readonly google?: string | undefined;
  readonly botCheck?: SiteConfig['botCheck'];
  readonly chat?: string | undefined;
}

interface LetIn {
  readonly script: readonly string[];
  readonly style: readonly string[];
  readonly connect: readonly string[];
  readonly frame: readonly string[];
  readonly img: readonly string[];
  readonly font: readonly string[];
  readonly worker: readonly string[];
}

/** Returns the sources that third-party scripts need, by kind. Scripts of our own origin need none. */
function lettingIn({ google, botCheck, chat }: Scripts): LetIn {
  const scripts = [
    ...(isOthers(google) ? [ofGoogle(google)] : []),
    ...(isOthers(chat) ? [ofChat(chat)] : []),
    ...(botCheck && isOthers(botCheck.script) ? [OF_BOT_CHECK[botCheck.name](botCheck.script)] : []),
  ];
  const all = (kind: keyof LetIn): string[] => [...new Set(scripts.flatMap((script) => script[kind] ?? []))];
  return {
    script: all('script'),
    style: all('style'),
    connect: all('connect'),
    frame: all('frame'),
    img: all('img'),
    font: all('font'),
    worker: all('worker'),
  };
}

const isOthers = (script: string | undefined): script is string => script !== undefined && !script.startsWith('/');

/**
 * Returns the sources of Google's sign-in: every path below the folder of its script, as Google requires:
 * https://developers.google.com/identity/gsi/web/guides/get-google-api-clientid
 */
function ofGoogle(script: string): Partial<LetIn> {
  const below = new URL('.', script).href;
  return { script: [script], style: [`${below}style`], connect: [below], frame: [below] };
}

const INLINE = "'unsafe-inline'";

/** Returns the sources of the chat: https://docs.crisp.chat/guides/others/whitelisting-our-systems/crisp-domain-names */
function ofChat(script: string): Partial<LetIn> {
  const { origin, host } = new URL(script);
  const domain = host.split('.').slice(-2).join('.');
  const at = (name: string, scheme = 'https'): string => `${scheme}://${name}.${domain}`;
  return {
    script: [origin],
    style: [INLINE, origin],
    img: ['data:', origin, at('image'), at('storage')],
    font: [origin],
    worker: ['blob:'],
    connect: [origin, at('storage'), at('client.relay', 'wss'), at('stream.relay', 'wss')],
    frame: [at('game')],
  };
}

const OF_BOT_CHECK: Record<NonNullable<SiteConfig['botCheck']>['name'], (script: string) => Partial<LetIn>> = {
  /** https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
  turnstile: (script) => ({ script: [new URL(script).origin], frame: [new URL(script).origin] }),
  /** https://developers.google.com/recaptcha/docs/faq: the script and the files that it loads come from different hosts. */
  recaptcha: (script) => {
    const below = new URL('.', script).href;
    return { script: [below, 'https://www.gstatic.com/recaptcha/'], frame: [below, 'https://recaptcha.google.com/recaptcha/'] };
  },
};
