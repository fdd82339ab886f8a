import { z } from 'zod';

/** Maximum length of an address of webhooks. */
const MAX_URL = 1_000;
/** A URL without credentials, spaces and invisible characters. */
const PLAIN_URL = /^[a-z]+:\/\/[^\s\p{C}/?#@]+(?:[/?#][^\s\p{C}]*)?$/iu;

/** Schema of an address that webhooks are posted to. Whether it must be https is decided where the installation is known. */
export const webhookUrl = z
  .url({ protocol: /^https?$/, error: 'url_format' })
  .regex(PLAIN_URL, { error: 'url_format' })
  .max(MAX_URL, { error: 'too_long' })
  .meta({ description: 'An https address without credentials, which everybody can reach' });
