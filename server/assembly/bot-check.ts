import { type BotProvider, type BotProviderOptions, openBotProvider } from '../compliance/index.ts';
import type { Config } from '../platform/index.ts';

type Name = BotProviderOptions['name'];

/** Usual addresses of the providers, by their documentation. */
const USUAL: Record<Name, { readonly script: string; readonly verify: string }> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    verify: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  },
  recaptcha: {
    script: 'https://www.google.com/recaptcha/api.js',
    verify: 'https://www.google.com/recaptcha/api/siteverify',
  },
};

/** Returns the provider of the robot check and the address of its script, for pages; undefined for the built-in check. */
export function shownBotCheck(
  config: Pick<Config, 'BASE_URL' | 'KURS_BOT_CHECK' | 'KURS_BOT_SCRIPT'>,
): { name: Name; script: string } | undefined {
  const { KURS_BOT_CHECK: name, BASE_URL: own } = config;
  if (name === 'altcha') return undefined;
  const script = config.KURS_BOT_SCRIPT || USUAL[name].script;
  // An address at the site's own origin, as in the sandbox, loses its origin, so that it works under any host name.
  return { name, script: script.startsWith(`${own}/`) ? script.slice(own.length) : script };
}

/** Opens the configured provider of the robot check; undefined for the built-in check. */
export function botProviderOf(config: Config): BotProvider | undefined {
  const { KURS_BOT_CHECK: name, KURS_BOT_SITE_KEY: siteKey, KURS_BOT_SECRET: secret } = config;
  if (name === 'altcha') return undefined;
  const verifyUrl = config.KURS_BOT_VERIFY || USUAL[name].verify;
  return openBotProvider({ name, siteKey, secret, verifyUrl, host: new URL(config.BASE_URL).hostname });
}
