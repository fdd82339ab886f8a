import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { Rail } from '../rail.ts';

/** Dependencies of a provider's rail, besides its settings. */
export interface ProviderContext {
  /**
   * Returns our reference for a payment's number: 16 characters of Crockford's alphabet (80 bits). Another installation with the same
   * account at the provider makes other references, so that no old payment is taken for a new one.
   */
  readonly reference: (index: number) => string;
  /** Address that receives the provider's messages. */
  readonly webhookUrl: string;
  /** Returns the full address of a path of the site. */
  readonly siteUrl: (path: string) => string;
}

/** Export of a provider's folder. The folder is loaded only if the provider is set up. */
export interface ProviderModule<S extends z.ZodType = z.ZodType> {
  /** Schema of the operator's settings: addresses, accounts, secrets. */
  readonly settings: S;
  open(settings: z.output<S>, context: ProviderContext): Rail;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** Returns the function `reference` of one rail: from a payment's number to our reference. `key`: a secret of the installation. */
export function openReferences(key: string, rail: string): (index: number) => string {
  return (index) => {
    const digest = createHmac('sha256', key).update(`${rail}:${index}`).digest();
    return Array.from({ length: LENGTH }, (_, at) => ALPHABET[(digest[at] as number) & 31]).join('');
  };
}
