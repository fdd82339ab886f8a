import type { Sender } from '../exchange/index.ts';
import type { Config, Tokens } from '../platform/index.ts';

/** What letters say of this desk. */
export function senderOf(config: Config, tokens: Tokens): Sender {
  return { tokens, name: config.KURS_NAME, url: config.BASE_URL };
}
