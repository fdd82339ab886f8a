// Draws the machines of the product from their data into docs/machines/. `node tools/draw-machines.ts` writes the
// pictures; a test fails while a picture and its data differ.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DRAW_MACHINE, DRAW_POSTINGS } from '../server/earn/index.ts';
import { REWARD_MACHINE, REWARD_POSTINGS } from '../server/affiliates/index.ts';
import { COUPON_MACHINE, COUPON_POSTINGS, USE_MACHINE, USE_POSTINGS } from '../server/coupons/index.ts';
import { ORDER_TABLE, type OrderState, WORDS } from '../server/exchange/index.ts';
import {
  BUSINESS_MACHINE,
  CLAIM_MACHINE,
  INVOICE_MACHINE,
  INVOICE_POSTINGS,
  REFUND_MACHINE,
  REFUND_POSTINGS,
} from '../server/gate/index.ts';
import { PAYOUT_MACHINE } from '../server/payments/index.ts';
import { type AnyMachine, type Drawing, draw } from '../server/platform/index.ts';
import { TICKET_MACHINE } from '../server/support/index.ts';
import { DEPOSIT_POSTINGS, DEPOSIT_TABLE, WITHDRAWAL_POSTINGS, WITHDRAWAL_TABLE } from '../server/wallets/index.ts';

const FOLDER = new URL('../docs/machines/', import.meta.url);

/** Every machine of the product, with additional text for its page. */
export const MACHINES: readonly { readonly machine: AnyMachine; readonly drawing?: Drawing }[] = [
  {
    machine: ORDER_TABLE,
    drawing: {
      columns: [{ title: 'customer reads', of: (state) => WORDS[state as OrderState] }],
      notes: [
        'Rail: what a payment system tells. System: the product itself, often by a timer. A customer needs the order’s secret, and for what moves money a mailed code too. Events that are accepted in every other state and leave it as it is stand in the table only.',
      ],
    },
  },
  { machine: PAYOUT_MACHINE },
  { machine: DEPOSIT_TABLE, drawing: { moneyWords: (money) => DEPOSIT_POSTINGS[money as keyof typeof DEPOSIT_POSTINGS] } },
  { machine: REWARD_MACHINE, drawing: { moneyWords: (money) => REWARD_POSTINGS[money as keyof typeof REWARD_POSTINGS] } },
  { machine: COUPON_MACHINE, drawing: { moneyWords: (money) => COUPON_POSTINGS[money as keyof typeof COUPON_POSTINGS] } },
  { machine: USE_MACHINE, drawing: { moneyWords: (money) => USE_POSTINGS[money as keyof typeof USE_POSTINGS] } },
  { machine: DRAW_MACHINE, drawing: { moneyWords: (money) => DRAW_POSTINGS[money as keyof typeof DRAW_POSTINGS] } },
  { machine: TICKET_MACHINE },
  { machine: BUSINESS_MACHINE },
  {
    machine: INVOICE_MACHINE,
    drawing: {
      moneyWords: (money) => INVOICE_POSTINGS[money as keyof typeof INVOICE_POSTINGS],
      notes: ['Sums and time decide the next state: an invoice is settled once it is paid, and confirming once it is covered.'],
    },
  },
  {
    machine: REFUND_MACHINE,
    drawing: {
      moneyWords: (money) => REFUND_POSTINGS[money as keyof typeof REFUND_POSTINGS],
      notes: [
        'Sums and claims decide the next state: a refund is claimed while a claim waits for people, else paying while one is being paid, else open while something is left. The payments room posts payouts that were sent, were not sent, or came back.',
      ],
    },
  },
  { machine: CLAIM_MACHINE, drawing: { moneyWords: (money) => REFUND_POSTINGS[money as keyof typeof REFUND_POSTINGS] } },
  {
    machine: WITHDRAWAL_TABLE,
    drawing: {
      moneyWords: (money) => WITHDRAWAL_POSTINGS[money as keyof typeof WITHDRAWAL_POSTINGS],
      notes: [
        'A request posts the hold (`wallet → wallet:held`). If it needs no approval, it posts the hold and the payout intent together.',
      ],
    },
  },
];

/** Every page by its file name. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  MACHINES.map(({ machine, drawing }) => [`${machine.name}.md`, draw(machine, drawing)]),
);

/** Returns the path of a page. */
export const pathOf = (name: string): string => fileURLToPath(new URL(name, FOLDER));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, page] of PAGES) writeFileSync(pathOf(name), page);
}
