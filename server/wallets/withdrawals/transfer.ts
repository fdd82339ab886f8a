// Transfers from one holder's wallet into another's: at once, and nothing leaves the desk.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type Confirming, emailKey, holderByEmail, holderById, isClosed, stepUp } from '../../auth/index.ts';
import { alone } from '../../collecting/index.ts';
import { accounts, leg } from '../../ledger/index.ts';
import { MONEY_OUT, WALLET, confirmationOf, passOut, takeBackOut } from '../../moneyout/index.ts';
import { type Context, newId } from '../../platform/index.ts';
import { owedElsewhere } from './may-leave.ts';
import { senderNamed } from './person.ts';
import { TRANSFER } from '../kinds.ts';
import { openWallet } from '../store.ts';
import { addTransfer } from '../transfer-store.ts';
import { type WithdrawDeps, requireThere, sumOf, worthOf } from './withdraw.ts';

type Asked = Input<Routes['walletTransfer']>;
type Holder = { readonly id: string; readonly email: string };

/** What a code mailed for a transfer confirms. */
export const transferConfirmation = (
  holder: Holder,
  { currency, amount, to }: Pick<Asked, 'currency' | 'amount' | 'to'>,
): string => confirmationOf(['transfer', holder.id, currency, sumOf(currency, amount).parts.toString(), emailKey(to)]);

/**
 * Moves money into another holder's wallet. Whether the address has an account is told only to who has confirmed. Throws
 * `validation`, what `stepUp` and `passOut` throw, `no_such_holder`, `account_refused` for a receiver whom people have blocked,
 * and `not_enough_money`.
 */
export async function transfer(
  deps: WithdrawDeps,
  holder: Holder & Confirming,
  input: Asked,
  { deviceKey: device, ip }: Context,
) {
  const { currency: unit, to, note } = input;
  const sum = sumOf(unit, input.amount);
  if (sum.parts <= 0n) throw fieldProblem('amount', 'amount_format');
  if (emailKey(to) === emailKey(holder.email)) throw fieldProblem('to', 'own_wallet');
  const usd = worthOf(sum);
  await requireThere(deps.db, holder.id, sum);
  const about = transferConfirmation(holder, input);
  const stepped = await stepUp(deps, holder, input, { purpose: MONEY_OUT, about });
  const done = await alone(deps.db, async (work) => {
    const { tx } = work;
    const [id, receiver] = [newId(), await holderByEmail(tx, to)];
    const place = receiver && { currency: WALLET, key: receiver.id };
    const act = { kind: TRANSFER, holder, usd, unit, to: place, field: 'to', leaves: false, device, ip } as const;
    await passOut(tx, stepped, { ...act, id });
    if (!receiver) {
      // The code is spent: one code asks after one address.
      await takeBackOut(tx, [id]);
      return undefined;
    }
    const stops = await owedElsewhere(tx, receiver.id);
    if (stops.some(({ about: what }) => what === 'block')) throw new Problem('account_refused');
    await openWallet(tx, receiver.id, unit);
    const named = { fromNamed: senderNamed((await holderById(tx, holder.id)) ?? { ...holder, name: '' }), toNamed: to.trim() };
    await addTransfer(tx, { id, from: holder.id, to: receiver.id, unit, parts: sum.parts, note, ...named });
    // Closed while this waited for it.
    if (await isClosed(tx, receiver.id)) throw new Problem('no_such_holder');
    const moved = leg(accounts.wallet(holder.id, unit), accounts.wallet(receiver.id, unit), sum.parts);
    work.post({ id: newId(), kind: 'transfer', cause: id, legs: [moved] }, 'not_enough_money');
    return { id, sum, at: tx.now };
  });
  if (!done) throw new Problem('no_such_holder');
  return done;
}
