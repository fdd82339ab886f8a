// The auditor's part about money that leaves stores: moves to their owner's wallet and back, refunds, and the payouts of claims. It
// uses none of the code that it checks.

import type { Rate } from '@kurs/money';
import { claimsById, refundsById } from '../../gate/index.ts';
import { accounts } from '../../ledger/index.ts';
import type { Db } from '../../platform/index.ts';
import { Fault, worth } from './invariants.ts';

type Refund = Awaited<ReturnType<typeof refundsById>>[number];
type Claim = Awaited<ReturnType<typeof claimsById>>[number];

interface MoveRow {
  readonly store: string;
  readonly holder: string;
  readonly direction: string;
  readonly unit: string;
  readonly parts: string;
}

/** A settled payment, with what its store received, in parts of the unit. `isDeep`: true if no reorg takes it back. */
export interface SettledMoney {
  readonly store: string;
  readonly unit: string;
  readonly net: bigint;
  readonly isDeep: boolean;
}

type Shown = (name: string) => bigint;

/** States of a payout whose money is still in its account. */
const HOLDS = new Set(['queued', 'preparing', 'sending', 'in_doubt', 'stopped']);
const LEFT = new Set(['sent', 'final']);
const MAY_BE_SENT = new Set(['paying', 'done', 'returned']);
const WAITS = new Set(['confirming', 'approving', 'paying', 'done']);

const sum = (parts: readonly bigint[]): bigint => parts.reduce((a, b) => a + b, 0n);

export class StoreAudit {
  readonly #db: Db;
  readonly #tally: (what: string) => void;
  #moves: readonly MoveRow[] = [];
  #refunds: readonly Refund[] = [];
  #claims: readonly Claim[] = [];
  #before = new Map<string, { readonly out: bigint; readonly settled: bigint }>();

  constructor(db: Db, tally: (what: string) => void) {
    this.#db = db;
    this.#tally = tally;
  }

  /** Returns the refunds of which something can be claimed. */
  get open(): readonly Refund[] {
    return this.#refunds.filter(({ rests }) => rests.length > 0);
  }

  get claims(): readonly Claim[] {
    return this.#claims;
  }

  async read(markets: (from: string, to: string) => readonly Rate[]): Promise<void> {
    const row = await this.#db.row<{ moves: MoveRow[]; refunds: string[]; claims: string[] }>(READ, [], {
      name: 'simulation.stores',
    });
    const known = new Map(this.#claims.map((claim) => [claim.id, claim]));
    const states = new Map(this.#refunds.map(({ id, state }) => [id, state]));
    this.#moves = row?.moves ?? [];
    this.#refunds = await refundsById(this.#db, row?.refunds ?? []);
    this.#claims = await claimsById(this.#db, row?.claims ?? []);
    for (const { id, state } of this.#refunds) if (states.get(id) !== state) this.#tally(`a refund: ${state}`);
    for (const claim of this.#claims) {
      if (known.get(claim.id)?.state !== claim.state) this.#tally(`a claim of a refund: ${claim.state}`);
      if (!known.has(claim.id)) mustBeWorth(claim, markets);
    }
    for (const refund of this.#refunds) this.#mustAddUp(refund);
  }

  /** Checks that all money of a refund is unclaimed, claimed, or with its store again. Money that came back after a fee is less. */
  #mustAddUp({ id, taken, rests, back }: Refund): void {
    const claims = this.#claims.filter(({ refundId }) => refundId === id);
    if (claims.some(({ state, unit, from }) => !WAITS.has(state) || unit !== from.unit)) return;
    const of = (sums: Refund['rests']): bigint => sum(sums.map(({ unit, parts }) => (unit === taken.unit ? parts : 0n)));
    const all = of(rests) + of(back) + sum(claims.map(({ from }) => from.parts));
    if (all !== taken.parts) throw new Fault(`the refund ${id} took ${taken.parts}, and ${all} of it are known`);
  }

  /** Returns expected balances of payouts by account name. */
  expected(): Map<string, bigint> {
    return new Map(
      this.#claims.map(({ id, unit, parts, state, payout }) => [
        accounts.payout(id, unit).name,
        state === 'paying' && payout !== undefined && HOLDS.has(payout) ? parts : 0n,
      ]),
    );
  }

  /** Returns the parts of a currency that claims' payouts have sent. */
  sent(currency: string): bigint {
    const away = this.#claims.filter((one) => one.currency === currency && one.payout !== undefined && LEFT.has(one.payout));
    return sum(away.map(({ parts }) => parts));
  }

  /** True if a send at a rail is that of a claim. Throws a Fault for one that never should have left. */
  mustKnow(intent: string): boolean {
    const claim = this.#claims.find(({ id }) => id === intent);
    if (claim && !MAY_BE_SENT.has(claim.state)) throw new Fault(`${intent} was sent, and its claim is ${claim.state}`);
    return claim !== undefined;
  }

  /** Returns the sum that left a store's balance, less the returned sums, in parts of a unit. */
  out(store: string, unit: string): bigint {
    const moved = this.#moves.map((one) => {
      const isOf = one.store === store && one.unit === unit;
      return !isOf ? 0n : one.direction === 'to_wallet' ? BigInt(one.parts) : -BigInt(one.parts);
    });
    const refunded = this.#refunds.flatMap((one) =>
      one.store.id === store && one.taken.unit === unit
        ? [one.taken.parts, ...one.back.map((back) => (back.unit === unit ? -back.parts : 0n))]
        : one.store.id === store
          ? one.back.map((back) => (back.unit === unit ? -back.parts : 0n))
          : [],
    );
    return sum(moved) + sum(refunded);
  }

  /** The wallets of the stores' owners have what moved there. */
  mustBeInWallets(shown: Shown): void {
    const sums = new Map<string, bigint>();
    for (const { holder, unit, direction, parts } of this.#moves) {
      const { name } = accounts.wallet(holder, unit);
      sums.set(name, (sums.get(name) ?? 0n) + (direction === 'to_wallet' ? BigInt(parts) : -BigInt(parts)));
    }
    for (const [name, parts] of sums)
      if (shown(name) !== parts) throw new Fault(`${name} has ${shown(name)}, and ${parts} moved there from stores`);
  }

  /**
   * Nothing leaves a store that its chain may still take back: after each outflow the balance is at least what is settled and not
   * deep. A reversal in the same step may take more, and is left out.
   */
  mustBeDeep(money: readonly SettledMoney[], shown: Shown): void {
    const keys = new Map(money.map(({ store, unit }) => [`${store} ${unit}`, { store, unit }]));
    for (const [key, { store, unit }] of keys) {
      const own = money.filter((one) => one.store === store && one.unit === unit);
      const [out, settled] = [this.out(store, unit), sum(own.map(({ net }) => net))];
      const before = this.#before.get(key) ?? { out: 0n, settled: 0n };
      this.#before.set(key, { out, settled });
      if (out <= before.out || settled < before.settled) continue;
      const shallow = sum(own.map(({ net, isDeep }) => (isDeep ? 0n : net)));
      const balance = shown(accounts.merchant(store, unit).name);
      if (balance < shallow)
        throw new Fault(
          `the store ${store} let ${unit} go that is not deep: it has ${balance}, and ${shallow} may be taken back`,
        );
    }
  }
}

/** Nobody gets more of a refund than they claimed, at the best rate of the market since the last check. */
function mustBeWorth({ id, from, fee, unit, parts }: Claim, markets: (from: string, to: string) => readonly Rate[]): void {
  const most =
    unit === from.unit
      ? from.parts - fee
      : markets(from.unit, unit)
          .map((rate) => worth(from.parts, from.unit, unit, rate))
          .reduce((a, b) => (a > b ? a : b));
  if (parts > most)
    throw new Fault(`the claim ${id} of ${from.parts} ${from.unit} brings ${parts} ${unit}, worth at most ${most}`);
}

const READ = `
  select (select coalesce(json_agg(json_build_object('store', store_id, 'holder', holder_id, 'direction', direction, 'unit', unit,
      'parts', parts::text)), '[]') from settlement) as moves,
    (select coalesce(json_agg(id order by id), '[]') from store_refund) as refunds,
    (select coalesce(json_agg(id order by id), '[]') from store_refund_claim) as claims`;
