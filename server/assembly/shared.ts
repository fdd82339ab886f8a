import { type Config, log, openTokens, secret, serverKeys, type Tokens, wallClock } from '../platform/index.ts';
import type { SealNote } from '../ledger/index.ts';
import { configureCompliance } from '../compliance/index.ts';
import { openBooks, providersOf } from '../supervisor/index.ts';
import { botProviderOf } from './bot-check.ts';
import { useRails } from '../payments/index.ts';
import {
  type PublicKeys,
  RAIL_NAMES,
  RAIL_NEEDS,
  type Rail,
  type SignerClient,
  buildRails,
  openSigner,
  railsConfig,
} from '../rails/index.ts';
import { readPublicKeys } from '../signing/index.ts';

import { screenerOf } from './screening.ts';

/** Parts of every process that deals with customers or money. */
export interface Shared {
  readonly tokens: Tokens;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly keys: PublicKeys;
  /** Note of the last seal in the chain of the books. */
  readonly note: SealNote;
  readonly signer: SignerClient;
  close(): Promise<void>;
}

/**
 * Sets up rails and compliance for this process from its configuration, without network access. A rail with wrong settings is
 * left out, with an alarm. `checksBots`: true for a process that gives visitors proofs of work.
 */
export async function openShared(config: Config, { checksBots = false } = {}): Promise<Shared> {
  const isSandbox = config.KURS_MODE === 'sandbox';
  const note = openBooks(config);
  const keys = readPublicKeys(config.KURS_DATA);
  const signer = openSigner(config.KURS_SIGNER_SOCKET);
  const { rails, refused } = await buildRails(railsConfig(config), keys, signer, providersOf(config));
  useRails(rails, [keys.evm.hot, keys.tron.hot], {
    ...{ known: RAIL_NAMES, isOnAtStart: isSandbox, refused, needs: RAIL_NEEDS, readAt: wallClock() },
  });
  for (const [rail, reason] of refused) log.alarm('a rail is not set up', { rail, reason });
  const [provider, screener] = [botProviderOf(config), screenerOf(config)];
  configureCompliance({
    ...(checksBots && { botKey: secret(config.KURS_DATA, 'bot.key') }),
    isLoopbackCounted: !isSandbox || config.KURS_STRICT_LIMITS,
    ...(isSandbox && { passToken: 'sandbox' }),
    ...(provider && { provider }),
    ...(screener && { screener }),
  });
  return {
    tokens: openTokens(serverKeys(config.KURS_DATA)),
    rails,
    keys,
    note,
    signer,
    async close() {
      await Promise.all([...rails.values()].map((rail) => rail.close()));
      signer.close();
    },
  };
}
