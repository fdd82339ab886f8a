import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { Rail } from '../rail.ts';

/** What a provider's rail is built from beside its own settings. */
export interface ProviderContext {
  /**
   * Our reference for a payment's number: 16 characters of Crockford's alphabet (80 bits), which another installation over
   * the same account at the provider doesn't make too, so that no old payment is taken for a new one.
   */
  readonly reference: (index: number) => string;
  /** The address that the provider's messages come to. */
  readonly webhookUrl: string;
  /** The whole address of a path of the site. */
  readonly siteUrl: (path: string) => string;
}

/** What a provider's folder exports; it is loaded only where the provider is set up. */
export interface ProviderModule<S extends z.ZodType = z.ZodType> {
  /** What an operator has to say: addresses, accounts, secrets. */
  readonly settings: S;
  open(settings: z.output<S>, context: ProviderContext): Rail;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** References of one rail, from a secret of the installation. */
export function openReferences(key: string, rail: string): (index: number) => string {
  return (index) => {
    const digest = createHmac('sha256', key).update(`${rail}:${index}`).digest();
    return Array.from({ length: LENGTH }, (_, at) => ALPHABET[(digest[at] as number) & 31]).join('');
  };
}
