import { screenPayments, screenPayouts, screens } from '../compliance/index.ts';
import { forgetButtons, forgetTurnover } from '../loyalty/index.ts';
import { type Db, every } from '../platform/index.ts';
import { forgetClicks } from '../referrals/index.ts';
import { giveWaiting } from './apply/give-late.ts';
import { mailDiscountButtons } from './calculation/discounts/confirm-discount.ts';
import { forgetTaken } from './calculation/promised-time.ts';
import { countTimes } from './views/count-times.ts';
import type { Sender } from './letters/letters.ts';
import { sweepDue } from './apply/sweep-due.ts';

const SWEEP_MS = 1_000;
const COUNT_MS = 60_000;
const LATE_MS = 10_000;
const FORGET_MS = 3_600_000;

/** Starts the room's background loops in the worker; `stop` ends them. */
export function runExchange(db: Db, sender: Sender): { stop(): Promise<void> } {
  const loops = [
    every(SWEEP_MS, 'exchange.due', () => sweepDue(db, sender)),
    every(COUNT_MS, 'exchange.times', () => countTimes(db)),
    every(
      FORGET_MS,
      'exchange.forget',
      async () => (await forgetTaken(db)) + (await forgetTurnover(db)) + (await forgetButtons(db)) + (await forgetClicks(db)),
    ),
    every(LATE_MS, 'exchange.late', () => giveWaiting(db, sender)),
    every(SWEEP_MS, 'loyalty.buttons', () => mailDiscountButtons(db, sender)),
    every(SWEEP_MS, 'exchange.screening', async () => (screens() ? (await screenPayments(db)) + (await screenPayouts(db)) : 0)),
  ];
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}
