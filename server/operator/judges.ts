import { orderJudge } from '../exchange/index.ts';
import type { Judge } from '../ledger/index.ts';
import { paymentsJudge } from '../payments/index.ts';
import { walletJudge } from '../wallets/index.ts';
import { proveAudit } from './audit-seal.ts';

/** No money stands for an act; that the audit is what was written is proved with the books. */
const auditJudge: Judge = {
  ...{ pots: [], causes: [] },
  standings: async () => [],
  faults: async (db) => (await proveAudit(db)).faults,
};

/** Every room that has journals posted, or money standing in accounts for its rows: what the proof of the books asks. */
export const allJudges: readonly Judge[] = [paymentsJudge, orderJudge, walletJudge, auditJudge];
