import type { Receipts } from '../exchange/index.ts';
import { type Config, openSignatures } from '../platform/index.ts';

/** Opens the signer of receipts: this desk, with the keys in its folder. */
export function openReceipts(config: Config): Receipts {
  const issuer = { name: config.KURS_NAME, url: config.BASE_URL };
  return { signatures: openSignatures(config.KURS_DATA, 'receipt'), issuer };
}
