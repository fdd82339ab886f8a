import { alteredDebts } from '../compliance/index.ts';
import { orderJudge } from '../exchange/index.ts';
import type { Fault, Judge } from '../ledger/index.ts';
import { alteredBooks, alteredCounts } from '../moneyout/index.ts';
import { paymentsJudge } from '../payments/index.ts';
import { type Statements, alteredSettings } from '../platform/index.ts';
import { walletJudge } from '../wallets/index.ts';
import { alteredBlocks } from './altered-blocks.ts';
import { proveAuditFrom } from './people/audit-seal.ts';
import { alteredRoles } from './people/change-role.ts';

/** No money stands for an act; that the audit is what was written is proved with the books. */
const auditJudge: Judge = {
  ...{ pots: [], causes: [] },
  standings: async () => [],
  chain: { table: 'audit_seal', prove: proveAuditFrom },
};

const accuse = (check: string, accounts: readonly string[], words: string): Fault[] =>
  accounts.map((account) => ({ check, account, words }));

/** Of rows that no money stands for, but that bound what leaves, or say whom a debt stops. */
const boundsJudge: Judge = {
  pots: [],
  causes: [],
  standings: async () => [],
  faults: async (db: Statements) => [
    ...accuse('setting', await alteredSettings(db), 'the setting is not what was put last'),
    ...accuse('counted', await alteredCounts(db), 'what left by itself is not as it was counted'),
    ...accuse('book', await alteredBooks(db), 'the allow-list or the address book is not as its holder set it'),
    ...accuse('block', await alteredBlocks(db), 'the block is not what the desk’s acts say'),
    ...accuse('role', await alteredRoles(db), 'what the role may do is not what the desk’s acts say'),
    ...accuse('debt', await alteredDebts(db), 'the debt, or what its debtor is known by, is not as it was noted'),
  ],
};

/** Every room that has journals posted, or money standing in accounts for its rows: what the proof of the books asks. */
export const allJudges: readonly Judge[] = [paymentsJudge, orderJudge, walletJudge, auditJudge, boundsJudge];
