import { orderJudge } from '../exchange/index.ts';
import type { Judge } from '../ledger/index.ts';
import { paymentsJudge } from '../payments/index.ts';
import { walletJudge } from '../wallets/index.ts';

/** Every room that has journals posted, or money standing in accounts for its rows: what the proof of the books asks. */
export const allJudges: readonly Judge[] = [paymentsJudge, orderJudge, walletJudge];
