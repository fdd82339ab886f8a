import { Problem } from '@kurs/contract';
import { buttonOf } from '../../loyalty/index.ts';
import { type Db, canonicalEmail } from '../../platform/index.ts';
import { requireOpen } from './calculation.ts';
import { lockCalculation, saveCalculation } from './calculation-store.ts';

/**
 * The owner of a mailbox confirms by its button that a visitor's calculation has their discount: its review is quoted anew. Gives
 * the percentage of the fee. Throws `not_found` for a token of no button or one whose calculation has another address by now,
 * and as `requireOpen`.
 */
export const confirmDiscount = (db: Db, token: string): Promise<{ percent: number }> =>
  db.tx(async (tx) => {
    const button = await buttonOf(tx, token);
    const calculation = button && (await lockCalculation(tx, button.calculation));
    if (!calculation || button.percent === 0) throw new Problem('not_found');
    const { email, held, loyalty } = calculation;
    if (email === undefined || canonicalEmail(email) !== button.customer) throw new Problem('not_found');
    requireOpen(calculation, tx.now);
    if (loyalty !== button.percent) {
      const over = held && { held: { ...held, expiresAt: tx.now.getTime() } };
      await saveCalculation(tx, { ...calculation, ...over, loyalty: button.percent });
    }
    return { percent: button.percent };
  });
