// A batch: steps of locked invoices, decided one after the other and written together, with one posting at the end.

import type { ProblemCode } from '@kurs/contract';
import type { UnitOfWork } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { dropRequests } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import { lateOf } from '../invoices/decide.ts';
import type { InvoiceStep, News, StepContext } from '../invoices/draft.ts';
import { type Invoice, type InvoicePayment, hasPayersMoney, isUnfinished } from '../invoices/invoice.ts';
import { judgeStep } from '../judge/judge-step.ts';
import { isSameUnit } from '../invoices/option-price.ts';
import { salesOf } from '../invoices/sales.ts';
import { currentPrice } from '../methods/current-price.ts';
import { takenNow } from '../methods/methods.ts';
import { tellStores } from '../events/tell-stores.ts';
import type { Told } from '../events/told.ts';
import { saveUses } from '../links/link-uses.ts';
import { savePayments } from '../rows/payment-rows.ts';
import { type InvoiceSale, insertSales } from '../rows/sale-rows.ts';
import { type ReservedSums, reservedIn, saveInvoices } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type StoreJournal, changeDebts } from '../settled/repay.ts';
import { noteSettled } from '../settled/note-settled.ts';
import { netOf } from '../settled/settled.ts';
import type { DebtAgain } from '../settled/write-off.ts';
import { settings } from '../settings.ts';

/** Amount that can be reserved for a test invoice, which reserves no money. */
const ENOUGH = 10n ** 36n;

/** An invoice about which its store has just got something to decide. */
export interface Undecided {
  readonly invoice: StoredInvoice;
  readonly kind: 'short' | 'late';
}

/** A payment that was just held, with its invoice. */
export interface HeldNow {
  readonly invoice: StoredInvoice;
  readonly payment: InvoicePayment;
}

/** A settled payment of which the store's part became smaller or larger again, with its invoice. */
export interface ChangedPart {
  readonly invoice: StoredInvoice;
  readonly payment: InvoicePayment;
  /** Parts of the settled unit that the store lost; negative if they came again. */
  readonly lost: bigint;
}

/** Subject of an invoice's step, besides the invoice. */
interface Coming {
  readonly balances?: StepContext['balances'];
  readonly unit?: string;
}

const HOUR_MS = 3_600_000;
const partyOf = ({ store }: Invoice): string => store.businessId ?? store.holderId;

export class InvoiceBatch {
  readonly #unit: UnitOfWork;
  readonly #invoices: Map<string, StoredInvoice>;
  readonly #before: ReadonlyMap<string, Invoice>;
  readonly #versions: ReadonlyMap<string, number>;
  readonly #journals: StoreJournal[] = [];
  readonly #changed = new Set<string>();
  readonly #news = new Map<string, News[]>();
  readonly #sales: InvoiceSale[] = [];
  /** Events with their invoices after each step, in order. */
  readonly #told: Told[] = [];
  /** Sums reserved for invoices when they were first read, by unit and party. */
  readonly #reserved = new Map<string, ReadonlyMap<string, ReservedSums>>();
  /** Change of these sums by this batch, by unit, and by unit and party. */
  readonly #moved = new Map<string, bigint>();

  constructor(unit: UnitOfWork, invoices: readonly StoredInvoice[]) {
    this.#unit = unit;
    this.#invoices = new Map(invoices.map((invoice) => [invoice.view.id, invoice]));
    this.#before = new Map(invoices.map(({ view }) => [view.id, view]));
    this.#versions = new Map(invoices.map(({ view }) => [view.id, view.version]));
  }

  /** Returns an invoice as changed by this batch so far. Throws if it is not part of the batch. */
  invoice(id: string): StoredInvoice {
    const found = this.#invoices.get(id);
    if (!found) throw new Error(`the invoice ${id} is not part of this batch`);
    return found;
  }

  /** Returns the invoices that this batch has changed so far. */
  changed(): readonly StoredInvoice[] {
    return [...this.#changed].map((id) => this.invoice(id));
  }

  /**
   * Returns the data from outside that a step of an invoice needs. `balances`: read for a reversal only. `unit`: that of a payment
   * that the invoice doesn't know yet.
   */
  async context(id: string, { balances, unit }: Coming = {}): Promise<StepContext> {
    const { view } = this.invoice(id);
    return {
      now: this.#unit.tx.now,
      reservable: isUnfinished(view) ? await this.#reservable(view, unit) : 0n,
      priceNow: (currency) => currentPrice(view.terms, currency),
      takenNow: (currency) => takenNow(view.terms, currency),
      ...(balances && { balances }),
    };
  }

  /** Returns the data that the acceptance of late payments needs: the desk's money may be reserved though the invoice has ended. */
  async acceptContext(id: string): Promise<StepContext> {
    return { ...(await this.context(id)), reservable: await this.#reservable(this.invoice(id).view) };
  }

  /** Returns the data that giving an invoice's payments back needs: also the desk's free money in the units of the payments. */
  async returnContext(id: string): Promise<StepContext> {
    const units = new Set(this.invoice(id).view.payments.map(({ unit }) => unit));
    const coins = new Map<string, bigint>();
    for (const unit of units) coins.set(unit, await this.#unit.shown(accounts.deskFree(unit)));
    return { ...(await this.context(id)), coins };
  }

  /**
   * Returns the amount that may be reserved for an invoice now: the desk's free money, within the shares of all invoices and of
   * one business. The sums are read, and locked, for the first invoice that needs them.
   */
  async #reservable(view: Invoice, coming?: string): Promise<bigint> {
    if (view.terms.isTest) return ENOUGH;
    const { unit } = view.terms.settlement;
    const isForeign = coming !== undefined && coming !== unit;
    const isExchanged = isForeign || view.payments.some((payment) => payment.unit !== unit);
    if (!isExchanged && view.options.every(({ price }) => isSameUnit(price))) return 0n;
    const sums = await this.#sumsIn(unit);
    const party = partyOf(view);
    const known = sums.get(party) ?? { all: 0n, own: 0n };
    const free = await this.#unit.shown(accounts.deskFree(unit));
    const all = known.all + (this.#moved.get(unit) ?? 0n);
    const own = known.own + (this.#moved.get(`${unit} ${party}`) ?? 0n);
    const share = (percent: number): bigint => ((free + all) * BigInt(percent)) / 100n;
    const rests = [
      free,
      share(settings.get('gate.reserve_share')) - all,
      share(settings.get('gate.reserve_share_business')) - own,
    ];
    const least = rests.reduce((a, b) => (a < b ? a : b));
    return least > 0n ? least : 0n;
  }

  async #sumsIn(unit: string): Promise<ReadonlyMap<string, ReservedSums>> {
    const known = this.#reserved.get(unit);
    if (known) return known;
    const parties = [...this.#invoices.values()]
      .filter(({ view }) => view.terms.settlement.unit === unit)
      .map(({ view }) => view);
    const read = await reservedIn(this.#unit.tx, unit, [...new Set(parties.map(partyOf))]);
    this.#reserved.set(unit, read);
    return read;
  }

  /**
   * Applies a step: posts its legs in one journal, and collects its events. Returns false for no step. `refused`: problem to throw
   * if the journal would exceed a bound of an account's balance.
   */
  apply(id: string, step: InvoiceStep | undefined, refused?: ProblemCode): boolean {
    if (!step) return false;
    const before = this.invoice(id);
    this.#note(before.view, step.invoice);
    this.#invoices.set(id, { ...before, view: step.invoice });
    this.#changed.add(id);
    this.#news.set(id, [...(this.#news.get(id) ?? []), ...step.news]);
    this.#told.push({ invoice: this.invoice(id), before: before.view, news: step.news });
    const journalId = newId();
    if (step.invoice.terms.isTest) {
      judgeStep(before.view, step, journalId);
      return true;
    }
    this.#unit.post({ id: journalId, kind: step.kind, cause: id, legs: step.legs }, refused);
    this.#journals.push({ journalId, store: step.invoice.store, legs: step.legs });
    for (const sale of salesOf(before.view, step.invoice)) this.#sales.push({ ...sale, journal: journalId, invoiceId: id });
    return true;
  }

  /** Notes journals of this unit of work that change the debt of a store's owner. */
  note(store: Invoice['store'], journals: readonly DebtAgain[]): void {
    this.#journals.push(...journals.map((one) => ({ ...one, store })));
  }

  /** Changes what people know about an invoice besides its money. */
  revise(id: string, changed: StoredInvoice): void {
    this.#invoices.set(id, changed);
    this.#changed.add(id);
  }

  #note(before: Invoice, after: Invoice): void {
    if (after.terms.isTest) return;
    const reservedOf = ({ payments }: Invoice): bigint => payments.reduce((sum, { reserve }) => sum + reserve, 0n);
    const moved = reservedOf(after) - reservedOf(before);
    const { unit } = after.terms.settlement;
    for (const key of [unit, `${unit} ${partyOf(after)}`]) this.#moved.set(key, (this.#moved.get(key) ?? 0n) + moved);
  }

  /** Returns the invoices that this batch has settled. */
  settled(): StoredInvoice[] {
    return this.#with('settled');
  }

  /** Returns the invoices whose time ended in this batch while they were partly paid. */
  short(): StoredInvoice[] {
    return this.#with('short');
  }

  /** Returns the payments that this batch has held for the desk's check, with their invoices. */
  held(): HeldNow[] {
    return [...this.#news].flatMap(([id, news]) => {
      const invoice = this.invoice(id);
      const ids = new Set(news.flatMap(({ kind, paymentId }) => (kind === 'held' ? [paymentId] : [])));
      const held = invoice.view.payments.filter((payment) => payment.stage === 'held' && ids.has(payment.id));
      return held.map((payment) => ({ invoice, payment }));
    });
  }

  /** Returns the payments that were settled before this batch, and of which the store has more or less since. */
  changedParts(): ChangedPart[] {
    return this.changed().flatMap((invoice) => {
      const former = new Map(this.#before.get(invoice.view.id)?.payments.map((one) => [one.id, one]));
      return invoice.view.payments.flatMap((payment): ChangedPart[] => {
        const before = former.get(payment.id);
        const lost = before?.settled ? netOf(before) - netOf(payment) : 0n;
        return lost === 0n ? [] : [{ invoice, payment, lost }];
      });
    });
  }

  #with(wanted: News['kind']): StoredInvoice[] {
    const ids = [...this.#news].filter(([, news]) => news.some(({ kind }) => kind === wanted)).map(([id]) => id);
    return ids.map((id) => this.invoice(id));
  }

  /** Returns the invoices that have just become short, or of which a late payment has just become final. */
  undecided(): Undecided[] {
    return [...this.#news].flatMap(([id, news]): Undecided[] => {
      const invoice = this.invoice(id);
      const kinds = new Set(news.map(({ kind }) => kind));
      if (invoice.view.state === 'short' && kinds.has('short')) return [{ invoice, kind: 'short' }];
      return kinds.has('payment_final') && lateOf(invoice.view).length > 0 ? [{ invoice, kind: 'late' }] : [];
    });
  }

  /** Writes everything; the unit's posting comes after it. Throws if money of a payer was not handed over (`handOver`). */
  async save(): Promise<void> {
    const { tx } = this.#unit;
    for (const id of this.#changed) this.#scheduleDecision(id);
    await changeDebts(this.#unit, this.#journals);
    const changed = await noteSettled(tx, this.changed(), this.#before);
    for (const stored of changed) this.#invoices.set(stored.view.id, stored);
    for (const { view } of changed)
      if (hasPayersMoney(view)) throw new Error(`money of the invoice ${view.id} belongs to its payer and was not handed over`);
    await saveInvoices(tx, changed, this.#versions);
    const views = changed.map(({ view }) => view);
    await savePayments(tx, views);
    await saveUses(tx, views);
    await tellStores(tx, this.#told);
    await insertSales(tx, this.#sales);
    for (const { view } of changed) if (!isUnfinished(view) || view.mark) await this.#endRequests(view);
  }

  /** Sets the time from which the store's preset decides about an invoice that has become short. */
  #scheduleDecision(id: string): void {
    const stored = this.invoice(id);
    if ((stored.view.state === 'short') === (stored.view.decideAt !== undefined)) return;
    const { decideAt: _, ...view } = stored.view;
    const at = new Date(this.#unit.tx.now.getTime() + settings.get('gate.decide_hours') * HOUR_MS);
    this.#invoices.set(id, { ...stored, view: view.state === 'short' ? { ...view, decideAt: at } : view });
  }

  /** Stops the preparation of payments that nobody expects. */
  async #endRequests({ options, terms }: Invoice): Promise<void> {
    if (terms.isTest) return;
    const last = options.at(-1);
    if (last?.to !== undefined) await dropRequests(this.#unit.tx, { kind: 'invoice', id: last.addressId });
  }
}
