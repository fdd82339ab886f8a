import type { PaymentWebhooks } from '@kurs/contract/openapi';
import { webhookWords as moneygo } from './moneygo/webhook-words.ts';
import { webhookWords as nebulox } from './nebulox/webhook-words.ts';
import { webhookWords as payeer } from './payeer/webhook-words.ts';
import { webhookWords as paypal } from './paypal/webhook-words.ts';
import { webhookWords as volet } from './volet/webhook-words.ts';
import { webhookWords as webmoney } from './webmoney/webhook-words.ts';
import { type SettingsField, exampleOf, fieldsOf, wrongWith } from './provider/described.ts';
import type { ProviderContext, ProviderModule } from './provider/index.ts';
import type { Rail } from './rail.ts';

/** All providers, each loaded only if it is set up. A rail's id is its name here. */
const PROVIDERS: Readonly<Record<string, () => Promise<{ readonly provider: ProviderModule }>>> = {
  volet: () => import('./volet/index.ts'),
  payeer: () => import('./payeer/index.ts'),
  webmoney: () => import('./webmoney/index.ts'),
  paypal: () => import('./paypal/index.ts'),
  moneygo: () => import('./moneygo/index.ts'),
  perfectmoney: () => import('./perfectmoney/index.ts'),
  nebulox: () => import('./nebulox/index.ts'),
};

/** Words for the API's document about the webhooks of providers. Perfect Money and chains send none. */
export const PAYMENT_WEBHOOKS: PaymentWebhooks = { nebulox, payeer, paypal, volet, webmoney, moneygo };

/** Names of the providers, in the order in which lists show them. */
export const PROVIDER_NAMES: readonly string[] = Object.keys(PROVIDERS);

/**
 * Opens the rail of a provider from the operator's settings. Makes no network call. Throws if the name is unknown or a field is
 * missing, naming the field and never its value.
 */
export async function openProvider(name: string, given: unknown, context: ProviderContext): Promise<Rail> {
  const load = PROVIDERS[name];
  if (!load) throw new Error(`There is no provider called ${name}; there are ${PROVIDER_NAMES.join(', ')}`);
  const { provider } = await load();
  const parsed = provider.settings.safeParse(given);
  if (parsed.success) return provider.open(parsed.data, context);
  const wrong = wrongWith(provider.settings, parsed.error).join('; ');
  throw new Error(`The settings of ${name} can't be: ${wrong}. What each field is: npm run config -- ${name}`);
}

/** Returns an example of a provider's settings, and the meaning of each field. Undefined for an unknown provider. */
export async function providerExample(
  name: string,
): Promise<{ readonly example: object; readonly fields: readonly SettingsField[] } | undefined> {
  const load = PROVIDERS[name];
  if (!load) return undefined;
  const { settings } = (await load()).provider;
  return { example: exampleOf(settings), fields: fieldsOf(settings) };
}
