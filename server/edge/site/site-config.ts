import type { Config } from '../../platform/index.ts';
import { shownBotCheck } from '../../assembly/index.ts';
import type { Rail } from '../../rails/index.ts';

/** Default interval of a browser's check for a new build, in seconds. */
const HOUR = 3600;

/** Returns the site's configuration: the desk's name and, if they are set, its operator and contacts. */
export function siteConfig(config: Config) {
  const [entity, registration, address] = config.KURS_ENTITY.split(';').map((part) => part.trim());
  const links = config.KURS_LINKS.map((link) => {
    const at = link.indexOf('=');
    return { name: link.slice(0, at), url: link.slice(at + 1) };
  });
  const bot = shownBotCheck(config);
  const [from, to] = config.KURS_HOURS.split('-');
  return {
    name: config.KURS_NAME,
    url: config.BASE_URL,
    mode: config.KURS_MODE,
    clientId: config.KURS_SITE_CLIENT,
    ...(config.KURS_API_URL !== config.BASE_URL && { api: config.KURS_API_URL }),
    ...(entity && { legal: { entity, ...(registration && { registration }), ...(address && { address }) } }),
    ...((config.KURS_CONTACT || links.length > 0) && {
      contacts: { ...(config.KURS_CONTACT && { email: config.KURS_CONTACT }), links },
    }),
    ...(config.KURS_GOOGLE_CLIENT_ID && { google: { clientId: config.KURS_GOOGLE_CLIENT_ID, script: scriptOf(config) } }),
    ...(bot && { botCheck: bot }),
    ...(config.KURS_CHAT_WEBSITE && { chat: { websiteId: config.KURS_CHAT_WEBSITE, script: config.KURS_CHAT_SCRIPT } }),
    ...(config.KURS_BUILD_CHECK !== HOUR && { buildCheckSeconds: config.KURS_BUILD_CHECK }),
    ...(config.KURS_ANIMATION && { animation: config.KURS_ANIMATION }),
    ...(from && to && { supportHours: { from, to } }),
  };
}

/**
 * Returns the URL of Google's script. If the script has the site's own origin, as in the sandbox, returns only its path, so that
 * it works under any host name.
 */
function scriptOf({ KURS_GOOGLE_SCRIPT: script, BASE_URL: own }: Config): string {
  return script.startsWith(`${own}/`) ? script.slice(own.length) : script;
}

/** Returns the origins that the forms of rails are posted to, each once, without the site's own. */
export function formOrigins(rails: ReadonlyMap<string, Rail>, ownUrl: string): string[] {
  const own = new URL(ownUrl).origin;
  const origins = [...rails.values()].flatMap(({ forms = [] }) => forms.map((address) => new URL(address).origin));
  return [...new Set(origins)].filter((origin) => origin !== own);
}

/** Returns the site's origin if the API has a different origin. */
export function siteOrigin({ BASE_URL: site, KURS_API_URL: api }: Config): string | undefined {
  const { origin } = new URL(site);
  return new URL(api).origin === origin ? undefined : origin;
}
