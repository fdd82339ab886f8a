// Pays an invoice from a wallet of the buyer. The money leaves the wallet by the door that all money takes, and is final at once.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { money, parse } from '@kurs/money';
import { type SteppedUp, stepUp } from '../../auth/index.ts';
import { type UnitOfWork, alone } from '../../collecting/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { MONEY_OUT, passOut } from '../../moneyout/index.ts';
import { type Context, type Db, type Sealer, newId } from '../../platform/index.ts';
import { latest, usdValue } from '../../rates/index.ts';
import { mailPaid } from '../letters.ts';
import type { LetterSender } from '../businesses/letters.ts';
import { InvoiceBatch } from '../apply/batch.ts';
import type { InvoiceStep } from '../invoices/draft.ts';
import { wantedOf } from '../invoices/invoice.ts';
import { arrive, choose } from '../invoices/steps.ts';
import { requireUse } from '../links/link-uses.ts';
import { walletMethodOf } from '../methods/wallet-method.ts';
import { requireAsStored } from '../rows/invoice-mac.ts';
import { lockInvoice, readInvoice } from '../rows/invoice-rows.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { requirePayable } from './choose-method.ts';
import { dropPreparation, optionWith } from './make-option.ts';

/** Kind of money out: a wallet pays an invoice. */
export const INVOICE_OUT = 'invoice';

type Wanted = Input<Routes['paymentFromWallet']>;
type Payer = { readonly id: string; readonly email: string; readonly sessionId: string };

interface WalletDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  readonly sender: LetterSender;
}

/**
 * Pays what is due of an invoice from a wallet. `amount` of the input: the sum that the page showed, in the wallet's unit. Throws
 * `review_changed` if the sum has changed, `not_enough_money`, `method_closed`, `rates_unavailable`, `invoice_not_open`, and
 * the problems of the step-up and of money out.
 */
export async function payFromWallet(deps: WalletDeps, payer: Payer, wanted: Wanted, context: Context): Promise<StoredInvoice> {
  const { db } = deps;
  const { view } = requireAsStored(await readInvoice(db, wanted.id));
  if (view.terms.isTest) throw new Problem('method_closed');
  requirePayable(view, await db.now());
  const wallet = accounts.wallet(payer.id, wanted.unit);
  const asked = requireSum(wanted);
  if (((await balances(db, [wallet]))[0] ?? 0n) < asked) throw new Problem('not_enough_money');
  const stepped = await stepUp(deps, payer, wanted, { purpose: MONEY_OUT, about: wanted.id });
  return alone(db, (unit) => pay(unit, { payer, wanted, asked, stepped, context }, deps.sender));
}

function requireSum({ unit, amount }: Wanted): bigint {
  try {
    return parse(unit, amount).parts;
  } catch {
    throw new Problem('review_changed');
  }
}

interface Paying {
  readonly payer: Payer;
  readonly wanted: Wanted;
  readonly asked: bigint;
  readonly stepped: SteppedUp;
  readonly context: Context;
}

async function pay(
  unit: UnitOfWork,
  { payer, wanted, asked, stepped, context }: Paying,
  sender: LetterSender,
): Promise<StoredInvoice> {
  const { tx } = unit;
  await passTheDoor(unit, { payer, wanted, asked, stepped, context });
  const stored = requireAsStored(await lockInvoice(tx, wanted.id));
  requirePayable(stored.view, tx.now);
  await requireUse(tx, stored.view);
  const sum = wantedOf(stored.view);
  const method = walletMethodOf(stored.view.terms, wanted.unit, sum);
  if (method === 'off') throw new Problem('method_closed');
  if (method === 'rates') throw new Problem('rates_unavailable');
  const { price, least } = method;
  const parts = sum === undefined ? asked : method.parts;
  if (parts !== asked) throw new Problem('review_changed');
  const option = { ...optionWith(stored.view, { info: method.info, price, parts, least }, tx.now), pays: sum };
  await dropPreparation(tx, stored.view);
  const batch = new InvoiceBatch(unit, [stored]);
  batch.apply(wanted.id, choose(stored.view, option));
  const step = arrive(
    batch.invoice(wanted.id).view,
    {
      payment: {
        ...{ id: newId(), parts, status: 'final', place: 'hot', txid: '', seenAt: tx.now, isFeeOk: true },
        ...{ firstConfirmedAt: tx.now, confirmations: 1, needed: 1, walletOf: payer.id },
      },
      ...{ addressId: option.addressId, currency: option.currency, unit: option.unit },
    },
    { from: accounts.wallet(payer.id, wanted.unit) },
    { ...(await batch.context(wanted.id)), priceNow: () => price },
  );
  batch.apply(wanted.id, requireCredited(step, parts), 'not_enough_money');
  await batch.save();
  await mailPaid(tx, sender, batch.settled());
  return batch.invoice(wanted.id);
}

/** Returns the step if it credits the whole payment. Nothing leaves a wallet that the invoice doesn't take. */
function requireCredited(step: InvoiceStep | undefined, parts: bigint): InvoiceStep {
  const payment = step?.invoice.payments.at(-1);
  if (!step || payment?.stage !== 'credited' || payment.over > 0n || payment.parts !== parts) throw new Problem('review_changed');
  return step;
}

async function passTheDoor({ tx }: UnitOfWork, { payer, wanted, asked, stepped, context }: Paying): Promise<void> {
  const snapshot = latest();
  if (!snapshot) throw new Problem('rates_unavailable');
  const action = {
    ...{ id: newId(), kind: INVOICE_OUT, holder: { id: payer.id, email: payer.email } },
    ...{ usd: usdValue(snapshot, money(wanted.unit, asked)), unit: wanted.unit, to: undefined, field: 'unit' },
    ...{ isOutgoing: false, device: context.deviceKey, ip: context.ip },
  };
  const [passed] = await passOut(tx, [{ stepped, action }]);
  if (!passed || passed instanceof Problem) throw passed ?? new Problem('internal');
}
