import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountRef, type JournalKind, KINDS, accounts, assertLegal, leg } from '../../ledger/index.ts';
import { ENTRY_KINDS } from './entry-kinds.ts';

const STORE = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const own = { balance: accounts.merchant(STORE, 'USDT'), reserve: accounts.merchantReserve(STORE, 'USDT') } as const;
/** Accounts from which money can come to a store, and to which it can go. */
const others: readonly AccountRef[] = [
  accounts.invoiceSet(STORE, 'USDT'),
  accounts.receivable(`business_${STORE}`, 'USDT'),
  accounts.refund(STORE, 'USDT'),
  accounts.wallet(STORE, 'USDT'),
  accounts.custody('USDT_ERC20', 'hot', 'USDT'),
  own.balance,
  own.reserve,
];

const isLegal = (kind: JournalKind, from: AccountRef, to: AccountRef): boolean => {
  try {
    assertLegal({ id: STORE, kind, cause: STORE, legs: [leg(from, to, 1n)] });
    return true;
  } catch {
    return false;
  }
};

test('every movement that the chart permits a store’s accounts has a kind, and no other has one', () => {
  for (const kind of Object.keys(KINDS) as JournalKind[])
    for (const account of ['balance', 'reserve'] as const) {
      const legal = {
        in: others.some((from) => from !== own[account] && isLegal(kind, from, own[account])),
        out: others.some((to) => to !== own[account] && isLegal(kind, own[account], to)),
      };
      const named = ENTRY_KINDS[kind]?.[account];
      for (const direction of ['in', 'out'] as const)
        assert.equal(named?.[direction] !== undefined, legal[direction], `${kind} ${account} ${direction}`);
    }
});
