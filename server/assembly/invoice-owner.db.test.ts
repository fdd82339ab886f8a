// A test kind of owner: everything works by its registration alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as collecting from '../collecting/index.ts';
import { queuedLetters } from '../deliveries/testing.ts';
import { type JournalKind, type Leg, accounts, leg, post, verify } from '../ledger/index.ts';
import { countOut } from '../moneyout/index.ts';
import { checksOf } from '../operator/index.ts';
import {
  PAYIN_EVENT,
  PAYOUT_EVENT,
  type PayinBody,
  type PayoutBody,
  openPayin,
  requestPayout,
  requireSwitch,
} from '../payments/index.ts';
import { type Desk, openDesk } from '../payments/testing.ts';
import { type Context, type Tx, newId, openTokens, outbox } from '../platform/index.ts';
import { freely } from '../platform/testing.ts';
import { deskChat, mailUnread, sayInChat, supportRoutes } from '../support/index.ts';

const SENDER = { tokens: openTokens(new Map([[1, Buffer.alloc(32, 7)]])), name: 'Kurs', url: 'http://kurs.test' };
const MINUTE = 60_000;
const DUE = 1_000_000n;
const TERMS = { confirmWithin: 60 * MINUTE, outageWithin: 0, minimum: 1n, shortPercent: 100, tolerance: 0n };

const newInvoice = (number: string, now: Date) => ({
  known: { owner: { kind: 'invoice', id: newId() }, number, email: 'buyer@example.org', locale: 'en' as const },
  give: { parts: DUE },
  pinned: { ...TERMS, lockUntil: new Date(now.getTime() + 6 * MINUTE) },
  payments: [] as collecting.Payment[],
  ...{ status: 'open', held: 0n, over: 0n },
});
type Invoice = ReturnType<typeof newInvoice>;

function stateOf(one: Invoice): string {
  if (one.status !== 'open') return `${one.status}, ${one.over} over`;
  if (one.payments.some((payment) => !collecting.isInTime(one, payment))) return 'late';
  return one.payments.length === 0 ? 'due' : `short by ${collecting.shortBy(one)}`;
}

const invoices: Invoice[] = [];
const find = (key: string): Invoice =>
  invoices.find(({ known }) => known.owner.id === key || known.number === key) ?? assert.fail('no such invoice');

/** Counts a final payment; converts an invoice that is paid in time, and returns what is over. */
async function take(unit: collecting.UnitOfWork, one: Invoice, payment: collecting.Payment): Promise<void> {
  const { id } = one.known.owner;
  const book = (kind: JournalKind, legs: Leg[]): void => unit.post({ id: newId(), kind, cause: id, legs });
  const given = accounts.invoiceIn(id, 'BTC');
  const promised = accounts.invoiceReserve(id, 'USDT');
  one.held += payment.parts;
  one.payments.push(payment);
  book('invoice_payin', [leg(accounts.custody('BTC', payment.place, 'BTC'), given, payment.parts)]);
  const arrived = collecting.arrivedInTime(one);
  if (arrived < DUE) return;
  one.status = 'converted';
  one.held = 0n;
  one.over = arrived - collecting.withinTerms(one, arrived);
  book('invoice_reserve', [leg(accounts.deskFree('USDT'), promised, DUE)]);
  const price = { components: [], exchanged: DUE, got: DUE, provision: 0n };
  book('invoice_converted', collecting.conversion({ given, promised, got: accounts.invoiceSet(id, 'USDT') }, price));
  const back = accounts.unallocated(id, 'BTC');
  book('invoice_over', [leg(given, back, one.over)]);
  book('refund_queued', [leg(back, accounts.payout(id, 'BTC'), one.over)]);
  const kinds = { sent: 'sent', notSent: 'refused', returned: 'returned' } as const;
  const sum = { currency: 'BTC', unit: 'BTC', parts: one.over, books: { cause: id, back, fee: 0n, kinds } };
  await requestPayout(unit.tx, { id, owner: one.known.owner, ...sum, to: desk.receiver(), purpose: 'refund' });
  await countOut(unit.tx, [{ payoutId: id, kind: 'invoice', customer: 'buyer', usd: 1n, currency: 'BTC', parts: one.over }]);
}

async function apply(tx: Tx, events: readonly collecting.OwnedEvent[]): Promise<void> {
  const unit = new collecting.UnitOfWork(tx);
  for (const { kind, ownerId, body } of events) {
    const { event } = body as PayinBody | PayoutBody;
    if (kind === PAYOUT_EVENT && event === 'accepted') find(ownerId).status = 'paid out';
    if (event === 'final' && kind === PAYIN_EVENT)
      await take(unit, find(ownerId), collecting.paymentOf(body as PayinBody, 'final'));
  }
  await unit.commit();
}

const INVOICE = collecting.defineOwner({
  kind: 'invoice',
  purposes: ['invoices'],
  outKinds: ['invoice'],
  handlers: [{ subscriber: 'invoices', events: [PAYIN_EVENT, PAYOUT_EVENT], handle: apply }],
  mayLeave: async () => new Map(),
  check: {
    accountTypes: ['invoice:in'],
    causes: [],
    balances: async () =>
      invoices.map(({ known: of, held }) => ({ account: accounts.invoiceIn(of.owner.id, 'BTC'), parts: held, of: of.number })),
  },
  byId: async (_db, ids) => ids.map((id) => find(id).known),
  byNumber: async (_db, number) => find(number).known,
  chat: {
    calls: { read: 'invoiceChat', say: 'invoiceSay', seen: 'invoiceChatSeen' },
    byToken: async (_db, _sender, { id }) => find(id).known,
    addresses: async (_tx, _sender, ids) => ids.map((id) => ({ ...find(id).known, url: `http://kurs.test/invoice/${id}` })),
  },
});

let desk: Desk;
before(async () => {
  desk = await openDesk({ id: 'bitcoin' }, { gates: collecting.gatesOf([INVOICE]), callMs: 2_000 });
  await outbox.subscribe(desk.db, collecting.subscriptionsOf([INVOICE], SENDER));
  const legs = [leg(accounts.custody('USDT', 'hot', 'USDT'), accounts.deskFree('USDT'), 10_000_000n)];
  await desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs }]));
});
after(() => desk.close());

/** Pays an invoice and runs everything that follows. */
async function pay(to: string, parts: bigint): Promise<void> {
  desk.world.pay(to, parts);
  for (let round = 0; round < 4; round += 1) {
    desk.world.mine(6);
    await desk.pass(MINUTE);
    await desk.turn();
    for (const one of collecting.subscriptionsOf([INVOICE], SENDER)) await outbox.drain(desk.db, one);
  }
}

test('an invoice is due, short, late, over, converted, paid out, checked and chatted about', async () => {
  requireSwitch({ rail: 'bitcoin', purpose: 'invoices' });
  const open = async (number: string): Promise<{ readonly one: Invoice; readonly to: string }> => {
    const one = newInvoice(number, await desk.db.now());
    invoices.push(one);
    const request = { owner: one.known.owner, currency: 'BTC', parts: DUE, customerKey: number };
    return { one, to: (await desk.db.tx((tx) => openPayin(tx, request))).to };
  };
  const [first, second] = [await open('INV-1'), await open('INV-2')];
  assert.equal(stateOf(first.one), 'due');
  await pay(first.to, 400_000n);
  assert.equal(stateOf(first.one), 'short by 600000');
  await pay(first.to, 700_000n);
  assert.equal(stateOf(first.one), 'paid out, 100000 over');
  await pay(second.to, DUE);
  assert.equal(stateOf(second.one), 'late');
  const prove = async () => (await verify(desk.db, { checks: checksOf([INVOICE]) })).faults.map(({ account }) => `${account}`);
  assert.ok(!(await prove()).some((account) => account.startsWith('invoice')));
  second.one.held = 0n;
  assert.ok((await prove()).some((account) => account.startsWith('invoice')));

  const deps = { db: desk.db, sender: SENDER, owners: [INVOICE] } as unknown as Parameters<typeof supportRoutes>[0];
  const calls = supportRoutes(deps) as unknown as Record<string, ReturnType<typeof supportRoutes>['orderSay']>;
  await calls['invoiceSay']?.({ id: 'INV-1', token: '', text: 'Thank you' }, freely as unknown as Context);
  await desk.db.tx((tx) => sayInChat(tx, [INVOICE], { number: 'INV-1', text: 'You are welcome', person: 'olga' }));
  assert.equal((await deskChat(desk.db, [INVOICE], 'INV-1')).messages.length, 2);
  await desk.pass(2 * MINUTE);
  assert.equal(await mailUnread(desk.db, SENDER, [INVOICE]), 1);
  assert.match((await queuedLetters(desk.db, { to: 'buyer@example.org' }))[0]?.text ?? '', /You are welcome/);
});
