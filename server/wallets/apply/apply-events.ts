// Applies the payments room's events about the addresses of wallets in groups, with one posting at the end.

import { dropUses } from '../../compliance/index.ts';
import { type OwnedEvent, UnitOfWork } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet, lockGuards } from '../../moneyout/index.ts';
import { PAYIN_EVENT, type PayinBody, WAY_EVENT, type WayBody, currencyOf, stopPayout } from '../../payments/index.ts';
import { type Left, type Tx, newId } from '../../platform/index.ts';
import { saveWays } from '../deposits/deposit-request-store.ts';
import {
  type Deposit,
  type Clearance,
  type Step,
  type There,
  afterGiveBack,
  arrive,
  beforeFinal,
  isCounted,
  sighted,
  takeBack,
  takenOf,
} from '../deposits/deposit.ts';
import { newsOf, queueDepositLetter } from '../deposits/deposit-letters.ts';
import { isReversibleDeposit, checkDeposits } from '../deposits/check-deposits.ts';
import { turnDownUnsent } from '../withdrawals/turn-down.ts';
import { depositsById, openWallets, addressesById, saveDeposits } from '../store.ts';

type Addresses = Awaited<ReturnType<typeof addressesById>>;

interface PayinOfAddress {
  readonly event: OwnedEvent;
  readonly addressId: string;
  readonly body: PayinBody;
}

/**
 * Applies a group of events, oldest first. Returns the events that must wait: final payments without a screening verdict, and
 * later events of the same address. If people must check a payment's sender, the payment is credited to the holder as uncleared.
 */
export async function applyEvents(tx: Tx, events: readonly OwnedEvent[], name: string): Promise<Left | undefined> {
  await openWallets(
    tx,
    events.flatMap(({ kind, body }) => (kind === INTO_WALLET_EVENT ? [body as IntoWallet] : [])),
  );
  await saveWays(tx, events.flatMap(wayOf));
  const reported = events.flatMap(reportedOf);
  return reported.length === 0 ? undefined : applyPayins(tx, reported, name);
}

async function applyPayins(tx: Tx, reported: readonly PayinOfAddress[], name: string): Promise<Left | undefined> {
  const addresses = await addressesById(
    tx,
    reported.map(({ addressId }) => addressId),
  );
  await lockTakenFrom(tx, reported, addresses);
  const deposits = await depositsById(
    tx,
    reported.map(({ body }) => body.payinId),
  );
  const payments = reported.map(({ event, addressId, body }) => {
    const address = addresses.get(addressId);
    if (!address) throw new Error(`The event ${event.id} is about a wallet's place that does not exist: ${addressId}`);
    return { event, body, address };
  });
  const check = await checkDeposits(tx, payments);
  await openWallets(
    tx,
    payments.flatMap(({ body, address: { holderId } }) => (body.event === 'final' ? [{ holderId, unit: body.unit }] : [])),
  );
  const unit = new UnitOfWork(tx);
  const group = new Group(unit, name);
  const leave = new Map<string, string>();
  /** Reasons why payments wait, by address. Later events of the same address wait, too. */
  const waiting = new Map<string, string>();
  const touched = new Map<string, Deposit>();
  for (const { event, body, address } of payments) {
    const known = touched.get(body.payinId) ?? deposits.get(body.payinId);
    const one = sighted(body, known, { addressId: address.id, holderId: address.holderId });
    const status = check(body);
    const behind = waiting.get(address.id);
    if (behind !== undefined || 'waits' in status) {
      const why = 'waits' in status ? status.waits : (behind ?? '');
      waiting.set(address.id, why);
      if (!known && !('waits' in status && status.isStrange)) touched.set(body.payinId, one);
      leave.set(event.id, why);
      continue;
    }
    const next = await group.apply(one, body, status);
    const news = newsOf(one, next, movedBy(one, body));
    if (news) await queueDepositLetter(tx, name, next, news);
    touched.set(body.payinId, next);
  }
  await saveDeposits(tx, [...touched.values()]);
  await endLimits(tx, [...touched.values()]);
  await unit.commit();
  return leave.size > 0 ? { leave } : undefined;
}

/**
 * Locks the holders whose deposits are taken back, with the same lock as the holders' own actions. Withdrawals requested before
 * the lock are turned down; withdrawals requested after it are refused.
 */
async function lockTakenFrom(tx: Tx, reported: readonly PayinOfAddress[], addresses: Addresses): Promise<void> {
  const taken = reported.filter(({ body }) => body.event === 'reversed');
  const holders = new Set(taken.flatMap(({ addressId }) => addresses.get(addressId)?.holderId ?? []));
  if (holders.size > 0) await lockGuards(tx, [...holders].sort());
}

/** Returns the parts that an event takes from the deposit or adds to it. */
const movedBy = (one: Deposit, body: PayinBody): bigint =>
  body.event === 'reversed' ? takenOf(one, body) : body.event === 'final' ? BigInt(body.part ?? body.parts) : 0n;

/** Releases the limits used by reversible deposits that were taken back. */
async function endLimits(tx: Tx, touched: readonly Deposit[]): Promise<void> {
  const gone = touched.filter((one) => one.status === 'reversed' && isReversibleDeposit(one));
  await dropUses(
    tx,
    gone.map(({ addressId: id }) => ({ id })),
  );
}

const reportedOf = (event: OwnedEvent): PayinOfAddress[] =>
  event.kind === PAYIN_EVENT ? [{ event, addressId: event.ownerId, body: event.body as PayinBody }] : [];

const wayOf = ({ kind, ownerId: addressId, body }: OwnedEvent): { addressId: string; reported: WayBody }[] =>
  kind === WAY_EVENT ? [{ addressId, reported: body as WayBody }] : [];

/** Applies events one by one: computes each deposit's next state and adds its journals to the unit of work. */
class Group {
  readonly #unit: UnitOfWork;
  readonly #name: string;

  constructor(unit: UnitOfWork, name: string) {
    this.#unit = unit;
    this.#name = name;
  }

  /** Applies a payment's event to a deposit. `status`: clearance of the payment, used if the payment is final. */
  async apply(one: Deposit, body: PayinBody, status: Clearance): Promise<Deposit> {
    const { tx } = this.#unit;
    if (body.event === 'final' && isCounted(one, body)) return one;
    if (body.event === 'final') return this.#take(arrive(one, body, status, tx.now, newId()));
    if (body.event !== 'reversed') return beforeFinal(one, body.event, tx.now);
    const here = await this.#unsentBack(one, body);
    return this.#take(
      takeBack(here, body, currencyOf(one.currency)?.rail ?? 'gone', await this.#thereOf(here, body), tx.now, newId()),
    );
  }

  /** Before a deposit is taken back: stops its refund and the withdrawals from its wallet, if they have not left yet. */
  async #unsentBack(one: Deposit, body: PayinBody): Promise<Deposit> {
    const { backId, status } = one;
    const { tx } = this.#unit;
    const isStopped = status === 'returning' && backId !== undefined && (await stopPayout(tx, backId));
    const back = isStopped ? afterGiveBack(one, 'kept', tx.now, newId()) : undefined;
    const here = back ? this.#take(back) : one;
    if (takenOf(here, body) > here.uncleared) await turnDownUnsent(this.#unit, this.#name, { ...one, source: 'wallet' });
    return here;
  }

  /**
   * Reads the balances that a reversal can take from. If the wallet's money is spent at the same moment, the ledger refuses the
   * posting and the whole group is retried.
   */
  async #thereOf({ holderId, unit }: Deposit, { currency, place }: PayinBody): Promise<There> {
    return {
      available: await this.#unit.shown(accounts.wallet(holderId, unit)),
      custody: await this.#unit.shown(accounts.custody(currency, place, unit)),
    };
  }

  #take({ deposit, journal }: Step): Deposit {
    this.#unit.post(journal);
    return deposit;
  }
}
