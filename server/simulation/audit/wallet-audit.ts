// The auditor's part about wallets: rows of deposits, withdrawals and transfers, and their expected balances in the books. It
// uses none of the code that it checks.

import { accounts } from '../../ledger/index.ts';
import type { Db } from '../../platform/index.ts';
import type { OrderView } from '../../exchange/index.ts';
import { AllowLists, type ListRows } from './allow-list-audit.ts';
import { Fault } from './invariants.ts';

interface WithdrawalRow {
  readonly id: string;
  readonly holder: string;
  readonly unit: string;
  readonly currency: string;
  readonly parts: string;
  readonly fee: string;
  readonly status: string;
  readonly payout: string | null;
}

interface DepositRow {
  readonly id: string;
  readonly holder: string;
  readonly unit: string;
  readonly currency: string;
  readonly txid: string;
  readonly status: string;
  readonly payin: string;
  readonly needed: number;
  readonly parts: string;
  readonly fee: string;
  readonly uncleared: string;
  readonly taken: string;
  readonly owed: string;
  readonly back: string | null;
  readonly back_parts: string | null;
  /** Earlier payouts that gave it back and still count, and the sum of their minor units. */
  readonly earlier: readonly string[];
  readonly earlier_parts: string;
  /** State of the last of them; and the amount that came back of all given back. */
  readonly back_payout: string | null;
  readonly came_back: string;
}

interface TransferRow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly unit: string;
  readonly parts: string;
}

interface Rows {
  readonly withdrawals: readonly WithdrawalRow[];
  readonly deposits: readonly DepositRow[];
  readonly transfers: readonly TransferRow[];
  /** Holders whose money is frozen now. */
  readonly frozen: readonly string[];
  readonly lists: ListRows;
}

const NO_LISTS: ListRows = { guards: [], addresses: [], outs: [] };
const NOTHING: Rows = { withdrawals: [], deposits: [], transfers: [], frozen: [], lists: NO_LISTS };
/** States of a withdrawal whose money has left the wallet but not reached the rail; has reached it; never left. */
const UNDER_WAY = new Set(['queued', 'sending', 'in_doubt']);
const LEFT = new Set(['sent', 'done']);
const NEVER_LEFT = new Set(['approving', 'cancelled', 'rejected']);
/** States of a deposit whose payment counts as received. */
const CREDITED = new Set(['checking', 'maturing', 'final', 'returning', 'returned']);
/** States of a payout that may have left. */
const SENDING = new Set(['sending', 'in_doubt', 'sent', 'final']);

/** States of a payout that no longer holds its money. */
const SETTLED = new Set(['sent', 'final', 'failed']);

/** Returns the balance of an account as shown. */
type Shown = (name: string) => bigint;

export class WalletAudit {
  readonly #db: Db;
  #rows: Rows = NOTHING;
  #before: Rows = NOTHING;
  #debts = new Map<string, bigint>();
  readonly #allowed: AllowLists;

  /** `now`: the world's clock, in milliseconds. */
  constructor(db: Db, now: () => number, tally: (what: string) => void) {
    this.#db = db;
    this.#allowed = new AllowLists(now, tally);
  }

  /** Returns withdrawals in their state at the last check; only those in these states, if any are given. */
  withdrawals(...states: readonly string[]): readonly WithdrawalRow[] {
    return this.#rows.withdrawals.filter(({ status }) => states.length === 0 || states.includes(status));
  }

  deposits(...states: readonly string[]): readonly DepositRow[] {
    return this.#rows.deposits.filter(({ status }) => states.length === 0 || states.includes(status));
  }

  async read(): Promise<void> {
    this.#before = this.#rows;
    const row = await this.#db.row<{ rows: Rows }>(READ, [], { name: 'simulation.wallets' });
    this.#rows = row?.rows ?? NOTHING;
  }

  /** Returns expected balances by account name: payouts, and held, uncleared and owed money. */
  expected(): Map<string, bigint> {
    const sums = new Map<string, bigint>();
    const add = (name: string, parts: bigint): void => void sums.set(name, (sums.get(name) ?? 0n) + parts);
    for (const { id, holder, unit, parts, fee, status } of this.#rows.withdrawals) {
      add(accounts.walletHeld(holder, unit).name, status === 'approving' ? BigInt(parts) + BigInt(fee) : 0n);
      add(accounts.payout(id, unit).name, UNDER_WAY.has(status) ? BigInt(parts) : 0n);
    }
    for (const { holder, unit, status, uncleared, owed, ...given } of this.#rows.deposits) {
      // A failure or a return is in the books at once; its deposit is notified a moment later.
      const { back, back_parts: parts, back_payout: payout, came_back: cameBack } = given;
      add(accounts.walletUncleared(holder, unit).name, BigInt(uncleared) + BigInt(cameBack));
      add(accounts.receivable(holder, unit).name, BigInt(owed));
      const isLeaving = status === 'returning' && payout !== null && !SETTLED.has(payout);
      if (back !== null) add(accounts.payout(back, unit).name, isLeaving ? BigInt(parts ?? 0) : 0n);
    }
    return sums;
  }

  /**
   * Invariant 7: of each unit a holder has the incoming less the outgoing money: payments, transfers and orders. While a deposit
   * is given back, its rows don't show how much of it was taken meanwhile: then only the books' own checks check it.
   */
  mustAdd(orders: readonly OrderView[], shown: Shown): void {
    const sums = new Map<string, bigint>();
    const add = (holder: string, unit: string, parts: bigint): void =>
      void sums.set(`${holder}:${unit}`, (sums.get(`${holder}:${unit}`) ?? 0n) + parts);
    const unclear = new Set(
      this.#rows.deposits.flatMap(({ back, earlier, holder, unit }) =>
        back === null && earlier.length === 0 ? [] : `${holder}:${unit}`,
      ),
    );
    for (const { holder, unit, parts, fee, taken, status } of this.#rows.deposits)
      add(holder, unit, (CREDITED.has(status) ? BigInt(parts) - BigInt(taken) : 0n) - BigInt(fee));
    for (const { holder, unit, parts, fee, status } of this.#rows.withdrawals) {
      if (UNDER_WAY.has(status) || LEFT.has(status)) add(holder, unit, -BigInt(parts) - BigInt(fee));
      else if (status === 'returned') add(holder, unit, -BigInt(fee));
    }
    for (const { from, to, unit, parts } of this.#rows.transfers) {
      add(from, unit, -BigInt(parts));
      add(to, unit, BigInt(parts));
    }
    for (const order of orders) for (const [holder, unit, parts] of throughWallets(order)) add(holder, unit, parts);
    for (const [key, expected] of sums) {
      const [holder = '', unit = ''] = key.split(':');
      const has =
        shown(`wallet:${key}`) + shown(`wallet:${key}:held`) + shown(`wallet:${key}:uncleared`) - shown(`receivable:${key}`);
      if (has !== expected && !unclear.has(key))
        throw new Fault(`${holder} has ${has} ${unit}, what came and went makes ${expected}`);
    }
  }

  /** Returns the minor units of a currency that came in for wallets, and that left them, by their rows. */
  flows(currency: string, shown: Shown): { credited: bigint; sent: bigint } {
    let [credited, sent] = [0n, 0n];
    for (const one of this.#rows.deposits) {
      const { currency: own, parts, taken, status, unit } = one;
      const { back, back_parts: backParts, earlier_parts: earlier, came_back: cameBack } = one;
      if (own !== currency) continue;
      credited += CREDITED.has(status) ? BigInt(parts) - BigInt(taken) : 0n;
      sent += BigInt(earlier) - BigInt(cameBack);
      if (back !== null) sent += BigInt(backParts ?? 0) - shown(accounts.payout(back, unit).name);
    }
    for (const { currency: own, parts, status } of this.#rows.withdrawals) {
      if (own === currency && LEFT.has(status)) sent += BigInt(parts);
    }
    return { credited, sent };
  }

  /** True if a deposit of a currency is given back while its rail takes it back too: its rows then don't show its flow. */
  isUnclear(currency: string): boolean {
    return this.#rows.deposits.some(
      (one) => one.currency === currency && (one.back !== null || one.earlier.length > 0) && one.payin === 'reversed',
    );
  }

  /** Returns true if a send at a rail is one that wallets count. Throws a Fault for a send that never should have left. */
  mustKnow(intent: string): boolean {
    const one = this.#rows.withdrawals.find(({ id }) => id === intent);
    if (one && NEVER_LEFT.has(one.status)) throw new Fault(`${intent} was sent, and its withdrawal is ${one.status}`);
    if (one?.status === 'failed') throw new Fault(`${intent} was sent, and its withdrawal has failed`);
    return one !== undefined || this.#rows.deposits.some(({ back, earlier }) => back === intent || earlier.includes(intent));
  }

  /** Time has passed, and nobody did anything. */
  pass(): void {
    this.#allowed.pass();
  }

  /** Nothing leaves to a destination that its holder's allow-list forbids. `orders`: by their ids, in their present state. */
  mustBeAllowed(orders: ReadonlyMap<string, { readonly view: OrderView }>): void {
    const { lists, withdrawals, transfers } = this.#rows;
    const holders = new Map(withdrawals.map(({ id, holder }) => [id, holder]));
    const outs = lists.outs.flatMap(({ id, owner, status, currency, key }) => {
      const holder = holders.get(id) ?? orders.get(owner)?.view.pinned.wallets?.give;
      return holder !== undefined && SENDING.has(status) ? [{ id, holder, currency, key }] : [];
    });
    const moved = transfers.map(({ id, from, to }) => ({ id, holder: from, currency: 'wallet', key: to }));
    this.#allowed.follow(lists, [...outs, ...moved]);
  }

  /** Nothing leaves a wallet that was frozen, or had a debt, before the step in which it left. */
  mustWait(shown: Shown): void {
    const before = new Map(this.#before.withdrawals.map((one) => [one.id, one]));
    for (const { id, holder, unit, payout } of this.#rows.withdrawals) {
      const was = before.get(id);
      if (!was || payout === null || !SENDING.has(payout) || SENDING.has(was.payout ?? '')) continue;
      const isFrozen = [this.#before, this.#rows].every(({ frozen }) => frozen.includes(holder));
      if (isFrozen) throw new Fault(`${id} left while ${holder} was frozen`);
      const debt = accounts.receivable(holder, unit).name;
      if ((this.#debts.get(debt) ?? 0n) > 0n && shown(debt) > 0n) throw new Fault(`${id} left while ${holder} owes ${unit}`);
    }
    this.#debts = new Map(
      this.#rows.deposits.map(({ holder, unit }) => {
        const { name } = accounts.receivable(holder, unit);
        return [name, shown(name)];
      }),
    );
  }

  /** Credited payments by currency and transaction: at rest they equal those of the rails. */
  credited(): { readonly key: string; readonly parts: bigint }[] {
    return this.#rows.deposits
      .filter(({ status }) => CREDITED.has(status))
      .map(({ currency, txid, parts, taken }) => ({ key: `${currency} ${txid}`, parts: BigInt(parts) - BigInt(taken) }));
  }

  /** Returns unfinished work in words. */
  whatMoves(): string | undefined {
    const one = this.withdrawals('queued', 'sending', 'in_doubt', 'sent')[0] ?? this.deposits('seen', 'returning')[0];
    return one && `${one.id} in ${one.status}`;
  }
}

/** Returns the amounts that an order takes from its holder's wallets, and puts into them. */
function throughWallets({ pinned, give, get, payments, facts: { sent } }: OrderView): [string, string, bigint][] {
  const { give: giver, get: taker } = pinned.wallets ?? {};
  const moves: [string, string, bigint][] = [];
  if (giver !== undefined) {
    const paid = payments.reduce((sum, { status, parts }) => (status === 'final' ? sum + parts : sum), 0n);
    moves.push([giver, give.unit, -paid]);
    if (sent?.kind === 'refund') moves.push([giver, give.unit, sent.parts]);
  }
  if (taker !== undefined && get && sent?.kind === 'payout') moves.push([taker, get.unit, sent.parts]);
  return moves;
}

/**
 * Returns the account of a withdrawal's money, by its row and its payout's row; the payout's outcome may not have been handled
 * yet.
 */
const STANDS = `case when w.status <> 'paying' then w.status
  else case p.status when 'sending' then 'sending' when 'in_doubt' then 'in_doubt' when 'sent' then 'sent' when 'final' then 'sent'
    when 'failed' then case when p.txid is null then 'failed' else 'returned' end else 'queued' end end`;

const READ = `
  select json_build_object(
    'withdrawals', (select coalesce(json_agg(json_build_object('id', w.id, 'holder', holder_id, 'unit', w.unit, 'currency', w.currency,
       'parts', w.parts::text, 'fee', w.fee::text, 'status', ${STANDS}, 'payout', p.status) order by w.requested_at, w.id), '[]')
       from wallet_withdrawal w left join payout p on p.id = w.id),
    'deposits', (select coalesce(json_agg(json_build_object('id', d.payin_id, 'holder', holder_id, 'unit', d.unit, 'currency', d.currency,
       'txid', d.txid, 'status', d.status, 'payin', p.status, 'needed', d.needed, 'parts', d.parts::text, 'fee', d.fee::text,
       'uncleared', d.uncleared::text, 'taken', d.taken::text, 'owed', d.owed::text, 'back', back_id,
       'back_parts', back_parts::text, 'earlier', earlier_ids, 'back_payout', (select status from payout where payout.id = back_id),
       'came_back', (select coalesce(sum(parts), 0)::text from payout where (payout.id = back_id or payout.id = any (earlier_ids)) and status = 'failed'),
       'earlier_parts', (select coalesce(sum(parts), 0)::text from unnest(earlier_parts) as parts)) order by d.seen_at, d.payin_id), '[]')
       from wallet_deposit d left join payin p on p.id = d.payin_id),
    'transfers', (select coalesce(json_agg(json_build_object('id', id, 'from', from_holder, 'to', to_holder, 'unit', unit, 'parts', parts::text)), '[]')
       from wallet_transfer),
    'frozen', (select coalesce(json_agg(id), '[]') from account_holder where frozen_until > clock_now()),
    'lists', json_build_object(
      'guards', (select coalesce(json_agg(json_build_object('holder', holder_id, 'isOn', is_list_on)), '[]') from moneyout_guard),
      'addresses', (select coalesce(json_agg(json_build_object('id', id, 'holder', holder_id, 'currency', currency, 'key', key)), '[]')
         from moneyout_address),
      'outs', (select coalesce(json_agg(json_build_object('id', id, 'owner', owner_id, 'status', status, 'currency', currency,
         'key', to_fields->>'address')), '[]') from payout where purpose = 'payout'))) as rows`;
