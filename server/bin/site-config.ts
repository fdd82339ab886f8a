import type { Config } from '../platform/index.ts';

/** What the site says of the desk: its name and, where they are given, who runs it and how people reach them. */
export function siteConfig(config: Config) {
  const [entity, registration, address] = config.KURS_ENTITY.split(';').map((part) => part.trim());
  const links = config.KURS_LINKS.map((link) => {
    const at = link.indexOf('=');
    return { name: link.slice(0, at), url: link.slice(at + 1) };
  });
  const [from, to] = config.KURS_HOURS.split('-');
  return {
    name: config.KURS_NAME,
    url: config.BASE_URL,
    mode: config.KURS_MODE,
    ...(entity && { legal: { entity, ...(registration && { registration }), ...(address && { address }) } }),
    ...((config.KURS_CONTACT || links.length > 0) && {
      contacts: { ...(config.KURS_CONTACT && { email: config.KURS_CONTACT }), links },
    }),
    ...(from && to && { supportHours: { from, to } }),
  };
}
