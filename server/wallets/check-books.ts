import { wrongDebts } from '../compliance/index.ts';
import {
  type AccountType,
  type Fault,
  type BooksCheck,
  type Scope,
  type RowBalance,
  accounts,
  holdings,
  ownersOf,
  unlikeBooks,
} from '../ledger/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet, uncountedAmong } from '../moneyout/index.ts';
import {
  type PayoutBody,
  type PayoutStatus,
  type Sending,
  givenBackBy,
  payinFaults,
  addressFaults,
  sendingFaults,
  undeliveredOwners,
  undeliveredPayouts,
} from '../payments/index.ts';
import { type Statements, inGroupsById, outbox } from '../platform/index.ts';
import { type Deposit, asPosted, backsOf } from './deposits/deposit.ts';
import {
  allAddresses,
  depositsAfter,
  endedDepositsBy,
  givenBackDeposits,
  movedAmong,
  openDeposits,
  openedWallets,
} from './store.ts';
import { TRANSFERS_MOVED } from './transfer-store.ts';
import { shownStatus } from './withdrawals/shown-status.ts';
import type { Withdrawal } from './withdrawals/withdrawal.ts';
import { alteredAmong, leftAlone, openWithdrawals } from './withdrawals/withdrawal-store.ts';

/**
 * Payout statuses in which the money is in the payout's account. In any other status, the payments room has already posted it out
 * of that account.
 */
const HOLDS: ReadonlySet<PayoutStatus> = new Set(['queued', 'preparing', 'sending', 'in_doubt', 'stopped']);

const ofWithdrawal = (one: Withdrawal): string => `the withdrawal ${one.id}, ${shownStatus(one)}`;
const ofDeposit = ({ payinId, status }: Deposit): string => `the deposit ${payinId}, ${status}`;

function balancesOfWithdrawal(one: Withdrawal): RowBalance[] {
  const { id, holderId, unit, parts, fee, status, payout } = one;
  if (status === 'approving')
    return [{ account: accounts.walletHeld(holderId, unit), parts: parts + fee, of: ofWithdrawal(one) }];
  return payout && HOLDS.has(payout) ? [{ account: accounts.payout(id, unit), parts, of: ofWithdrawal(one) }] : [];
}

/**
 * Returns the balances that the books must have because of a deposit. `undelivered`: by payout, the events that the payments
 * room has published and the deposit has not handled yet.
 */
function balancesOfDeposit(one: Deposit, undelivered: ReadonlyMap<string, readonly PayoutBody[]>): RowBalance[] {
  const { holderId, unit, owed, backId } = one;
  const { uncleared, leaving } = asPosted(
    one,
    backsOf(one).flatMap(({ id }) => undelivered.get(id) ?? []),
  );
  const of = ofDeposit(one);
  return [
    ...(uncleared > 0n ? [{ account: accounts.walletUncleared(holderId, unit), parts: uncleared, of }] : []),
    ...(owed > 0n ? [{ account: accounts.receivable(holderId, unit), parts: owed, of }] : []),
    ...(leaving > 0n && backId ? [{ account: accounts.payout(backId, unit), parts: leaving, of }] : []),
  ];
}

async function depositBalances(db: Statements): Promise<RowBalance[]> {
  const events = (await undeliveredPayouts(db, 'wallet')).filter(({ purpose }) => purpose === 'refund');
  const undelivered = Map.groupBy(events, ({ intentId }) => intentId);
  const deposits = [...(await openDeposits(db)), ...(await endedDepositsBy(db, [...undelivered.keys()]))];
  return deposits.flatMap((one) => balancesOfDeposit(one, undelivered));
}

function sendingsOf(withdrawals: readonly Withdrawal[], deposits: readonly Deposit[]): Sending[] {
  return [
    ...withdrawals
      .filter(({ status, payout }) => status === 'paying' && payout !== 'sent')
      .map((one) => ({ ...one, owner: { kind: 'wallet', id: one.id } as const, of: ofWithdrawal(one) })),
    ...deposits.flatMap((one): Sending[] => {
      const { status, backId: id, backParts: parts, currency, unit, source } = one;
      if (status !== 'returning' || id === undefined || parts === undefined) return [];
      return [{ id, owner: { kind: 'wallet', id }, currency, unit, parts, to: source?.fields, of: ofDeposit(one) }];
    }),
  ];
}

async function alteredWithdrawals(db: Statements): Promise<Fault[]> {
  const altered = await alteredAmong(db, await openWithdrawals(db));
  return [...altered].map((id) => ({
    check: 'withdrawal',
    account: id,
    words: 'the withdrawal was altered after its holder confirmed it',
  }));
}

/**
 * Returns a fault for each deposit that differs from the payment that arrived, since reversals and refunds rely on the deposit's
 * row.
 */
async function strangeDeposits(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const faults: Fault[] = [];
  const read = (behind: string | undefined, max: number) => depositsAfter(db, { behind, max, ids: scope?.causes });
  for await (const deposits of inGroupsById(read, ({ payinId }) => payinId)) {
    const known = deposits.map((one) => {
      const { payinId: id, currency, parts, addressId: owner, source } = one;
      return { id, of: ofDeposit(one), whole: { currency, parts, owner, source } };
    });
    faults.push(...(await payinFaults(db, known)));
    for (const id of await movedAmong(db, deposits))
      faults.push({ check: 'deposit', account: id, words: 'the clearing time of the deposit was altered' });
  }
  return faults;
}

/** Returns a fault for each refund of a deposit without a matching payout, and for each payout without a matching refund. */
async function strangeBacks(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const behind = await undeliveredOwners(db, 'wallet');
  const known = new Map(
    (await givenBackDeposits(db, scope?.causes)).flatMap((one) =>
      backsOf(one).flatMap((back) =>
        one.status === 'returning' && back.id === one.backId ? [] : [[back.id, { ...one, sent: back.parts }] as const],
      ),
    ),
  );
  const ids = scope && [...known.keys(), ...(await ownersOf(db, ['payout'], scope))];
  const left = new Map((await givenBackBy(db, 'wallet', ids)).map((row) => [row.id, row]));
  return [...new Set([...known.keys(), ...left.keys()])].flatMap((id): Fault[] => {
    const [one, row] = [known.get(id), left.get(id)];
    const isRight = one && row && one.sent === row.parts && one.currency === row.currency && row.owner === id && !row.isAltered;
    if (isRight || behind.has(id)) return [];
    const words = one
      ? `${ofDeposit(one)} was refunded by it, and its payout differs`
      : 'it refunded a deposit, and no deposit says so';
    return [{ check: 'payout', account: `payout:${id}`, words }];
  });
}

const strangeAddresses = async (db: Statements): Promise<Fault[]> =>
  addressFaults(
    db,
    (await allAddresses(db)).map(({ id, to }) => ({
      owner: { kind: 'wallet', id } as const,
      to,
      of: `the wallet’s address ${id}`,
    })),
  );

async function strangeTransfers(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const ids = await unlikeBooks(db, 'transfer', TRANSFERS_MOVED, scope);
  return ids.map((id) => ({ check: 'transfer', account: id, words: 'no journal confirms the transfer' }));
}

async function strangeDebts(db: Statements): Promise<Fault[]> {
  const owing = (await openDeposits(db)).filter(({ owed }) => owed > 0n);
  const wrong = await wrongDebts(
    db,
    'deposit',
    new Map(owing.map(({ payinId, unit, owed }) => [payinId, { unit, parts: owed }])),
  );
  return wrong.map((id) => ({ check: 'debt', account: id, words: 'the recorded debt differs from the deposit' }));
}

/**
 * Returns a fault for each withdrawal of the last day that left without approval and isn't included in the limits. Such a
 * withdrawal would let more money leave than the limits allow.
 */
async function uncounted(db: Statements): Promise<Fault[]> {
  const ids = await uncountedAmong(db, await leftAlone(db));
  return ids.map((id) => ({ check: 'counted', account: id, words: 'the withdrawal left without approval and is not counted' }));
}

/**
 * Returns a fault for each wallet that has money but was never opened, since its holder could not see the money. A wallet is
 * not a fault while an event that opens it waits for delivery.
 */
async function unopened(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const opening = (await outbox.undeliveredBodies(db, INTO_WALLET_EVENT)) as IntoWallet[];
  const opened = new Set([...(await openedWallets(db)), ...opening.map(({ holderId, unit }) => `${holderId} ${unit}`)]);
  const unknown = (await holdings(db, 'wallet', scope)).filter(({ id, unit }) => !opened.has(`${id} ${unit}`));
  return unknown.map(({ account }) => ({ check: 'wallet', account, words: 'the holder’s wallet of this unit was never opened' }));
}

/**
 * Types of accounts whose balances must be the sums of the rows of deposits and withdrawals. Available money in a wallet has no
 * such row.
 */
const ACCOUNT_TYPES: readonly AccountType[] = ['wallet:held', 'wallet:uncleared', 'receivable', 'payout'];

/** Checks of the books for wallets: held, uncleared and owed money, and the rows behind journals. */
export const walletCheck: BooksCheck = {
  accountTypes: ACCOUNT_TYPES,
  causes: [
    {
      kinds: ['deposit', 'deposit_matured', 'deposit_reversed', 'refund_queued', 'sent', 'refused', 'returned'],
      rows: 'select payin_id from wallet_deposit',
    },
    {
      kinds: [
        'withdrawal_asked',
        'withdrawal_queued',
        'withdrawal_cancelled',
        'withdrawal_kept',
        'sent',
        'returned',
        'found_late_settled',
      ],
      rows: 'select id from wallet_withdrawal',
    },
    { kinds: ['transfer'], rows: 'select id from wallet_transfer' },
  ],
  async balances(db: Statements) {
    return [...(await openWithdrawals(db)).flatMap(balancesOfWithdrawal), ...(await depositBalances(db))];
  },
  async faults(db: Statements, scope?: Scope) {
    return [
      ...(await sendingFaults(db, 'wallet', sendingsOf(await openWithdrawals(db), await openDeposits(db)))),
      ...(await unopened(db, scope)),
      ...(await alteredWithdrawals(db)),
      ...(await strangeDeposits(db, scope)),
      ...(await strangeBacks(db, scope)),
      ...(await strangeAddresses(db)),
      ...(await strangeTransfers(db, scope)),
      ...(await strangeDebts(db)),
      ...(await uncounted(db)),
    ];
  },
};
