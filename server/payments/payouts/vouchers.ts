import { Problem } from '@kurs/contract';
import { type Sealer, type Statements, type Tx, log } from '../../platform/index.ts';
import type { VoucherCode } from '../../rails/rail.ts';
import { settings } from '../rails/settings.ts';

/**
 * Stores bought vouchers for their receivers, encrypted. As long as a stored voucher was not shown, a newer one replaces it: an
 * early look-up may have returned another payout's voucher before the send's own answer came.
 */
export async function storeVoucher(tx: Tx, sealer: Sealer, made: ReadonlyMap<string, VoucherCode>): Promise<void> {
  for (const [payout, voucher] of made) {
    await tx.run(
      `insert into payout_voucher (payout_id, voucher, made_at, recall_at)
       values ($1, $2, $3, $3::timestamptz + $4 * interval '1 day')
       on conflict (payout_id) do update set voucher = excluded.voucher where payout_voucher.first_shown_at is null`,
      [
        payout,
        sealer.seal(Buffer.from(JSON.stringify(voucher)), rowOf(payout)),
        tx.now,
        settings.get('payments.recall_goods_days'),
      ],
    );
  }
}

/** Days for which a payout's voucher can be shown again. */
export const VOUCHER_SHOWN_DAYS = 90;

/** State of a payout's voucher: never shown, or shown before. */
export type VoucherState = 'unseen' | 'seen';

/** Returns the state of each voucher by payout id. Leaves out payouts without a voucher. */
export async function voucherStates(db: Statements, payouts: readonly string[]): Promise<Map<string, VoucherState>> {
  const rows = await db.rows<{ id: string; seen: boolean }>(
    `select payout_id as id, first_shown_at is not null as seen from payout_voucher where payout_id = any ($1)`,
    [payouts],
  );
  return new Map(rows.map(({ id, seen }) => [id, seen ? 'seen' : 'unseen']));
}

/** Returns the state of a payout's voucher; `none` if the payout has no voucher. */
export async function voucherState(db: Statements, payout: string): Promise<'none' | VoucherState> {
  return (await voucherStates(db, [payout])).get(payout) ?? 'none';
}

/**
 * Shows a payout's voucher, and stores who saw it. `as`: the state that the caller saw. Returns undefined if the state has
 * changed since, because another caller was first. Throws `voucher_sealed` if no key decrypts the voucher; then nothing was
 * shown.
 */
export async function showVoucher(
  tx: Tx,
  sealer: Sealer,
  payout: string,
  who: string,
  as: VoucherState,
): Promise<VoucherCode | undefined> {
  const row = await tx.row<{ voucher: Buffer }>(
    `update payout_voucher set first_shown_at = coalesce(first_shown_at, $2), recall_at = null
     where payout_id = $1 and (first_shown_at is null) = $3 returning voucher`,
    [payout, tx.now, as === 'unseen'],
  );
  if (!row) return undefined;
  await tx.run(`insert into payout_voucher_shown (payout_id, at, who) values ($1, $2, $3)`, [payout, tx.now, who]);
  return opened(sealer, payout, row.voucher);
}

/** Context of a voucher's encryption: in another payout's row, the voucher can't be decrypted. */
const rowOf = (payout: string): string[] => ['payout_voucher', payout];

function opened(sealer: Sealer, payout: string, voucher: Buffer): VoucherCode {
  try {
    return JSON.parse(sealer.open(voucher, rowOf(payout)).toString('utf8')) as VoucherCode;
  } catch (cause) {
    log.alarm('a payout’s voucher can’t be decrypted: is a key of the server missing?', { payoutId: payout });
    throw new Problem('voucher_sealed', { cause });
  }
}
