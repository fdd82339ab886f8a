// Prizes and tasks: draws that anyone can check, the prizes, and their uses.

import { z } from 'zod';
import { NUMBERS } from '../../draw.ts';
import { route } from '../../route.ts';
import { amount, id, time } from '../../wire.ts';

const earn = { allows: 'user', tag: 'Earn' } as const;

const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** Table of prizes. `weight`: how many of a million numbers win the prize. */
const prizes = z
  .array(z.object({ prize: amount, weight: z.int().min(1).max(NUMBERS) }))
  .meta({ id: 'Prizes', description: 'The weights add up to 1 000 000' });

const openDraw = z.object({ id, commit: hex, table: prizes, expires_at: time }).meta({ id: 'OpenDraw' });

const madeDraw = z
  .object({ id, commit: hex, seed: hex, client_seed: z.string(), table: prizes, prize: amount, at: time })
  .meta({ id: 'MadeDraw' });

export const earnTasks = ['email', 'two_factor', 'first_order', 'streak'] as const;
const task = z.enum(earnTasks, { error: 'wrong_value' });

export const earnRules = route({
  allows: 'public',
  tag: 'Earn',
  method: 'GET',
  path: '/earn',
  summary:
    'The rules of prizes and tasks, what can be won now, and abandoned draws with their seeds, without their holders. Sums are in USD',
  input: z.object({}),
  output: z
    .object({
      is_open: z.boolean(),
      table: prizes,
      /** Average prize of a draw. */
      mean: amount,
      /** Sum that can still be won today. */
      left: amount,
      pot: amount,
      draw_minutes: z.int(),
      account_day: amount,
      shared_day: amount,
      day: amount,
      pot_least: amount,
      wallet_least: amount,
      order_least: amount,
      tasks: z.array(z.object({ task, pays: amount })),
      two_factor_days: z.int(),
      streak_days: z.int(),
      abandoned: z.array(z.object({ id, commit: hex, seed: hex, at: time })),
    })
    .meta({ id: 'EarnRules' }),
  problems: [],
});

export const earnOwn = route({
  ...earn,
  method: 'GET',
  path: '/earn/own',
  summary: 'The caller’s prizes, open draw, last draws and tasks, and the sum that may go to the wallet',
  input: z.object({}),
  output: z
    .object({
      /** Sum of prizes that are not used yet. */
      balance: amount,
      /** Remaining credit on fees. */
      credit: amount,
      won_today: amount,
      /** Maximum that may be moved to the wallet now; null if all of `balance` may. */
      to_wallet: amount.nullable(),
      open: openDraw.nullable(),
      /** Time at which the next draw may begin; null if it may begin now. */
      next_at: time.nullable(),
      draws: z.array(madeDraw),
      tasks: z.array(z.object({ task, pays: amount, state: z.enum(['open', 'ready', 'paid']) })),
    })
    .meta({ id: 'EarnOwn' }),
  problems: [],
});

export const earnBegin = route({
  ...earn,
  method: 'POST',
  path: '/earn/begin',
  summary: 'Begin this hour’s draw. `commit` is SHA-256 of the seed that decides it',
  input: z.object({ bot_token: z.string().max(4_000).optional() }),
  output: openDraw,
  problems: [
    ...(['bot_check_required', 'bot_check_failed', 'bot_check_unavailable'] as const),
    ...(['earn_closed', 'earn_wait', 'earn_pot_empty', 'earn_cap', 'earn_task_open'] as const),
  ],
});

export const earnClaim = route({
  ...earn,
  method: 'POST',
  path: '/earn/claim',
  summary:
    'Claim a draw with an own text. n: the first 52 bits of HMAC-SHA256(seed, `client_seed:id`); k = ⌊n × 1 000 000 ÷ 2^52⌋; the prize is the first row at which the added weights exceed k. A repeated claim gets the same answer',
  input: z.object({
    id,
    client_seed: z
      .string()
      .min(1, { error: 'required' })
      .max(64, { error: 'too_long' })
      .regex(/^[\x20-\x7e]*$/, { error: 'wrong_value' }),
  }),
  output: madeDraw,
  problems: ['not_found', 'claim_over'],
});

export const earnTask = route({
  ...earn,
  method: 'POST',
  path: '/earn/task',
  summary: 'Get paid for a completed task; each is paid once, and a repeated call says so',
  input: z.object({ task }),
  output: z.object({ task, paid: amount }),
  problems: ['earn_closed', 'earn_task_open', 'earn_pot_empty'],
});

const moved = z.object({ moved: amount, balance: amount });

export const earnToCredit = route({
  ...earn,
  method: 'POST',
  path: '/earn/to-credit',
  summary: 'Turn prizes into credit on the fees of exchanges',
  input: z.object({ amount }),
  output: moved,
  problems: ['not_enough_money'],
  isIdempotent: true,
});

export const earnToWallet = route({
  ...earn,
  method: 'POST',
  path: '/earn/to-wallet',
  summary:
    'Put prizes into the caller’s wallet, as USDT. Below level 2 the caller’s first order must be mature, and the sum is limited to what the desk kept of the caller’s orders',
  input: z.object({ amount }),
  output: moved,
  problems: ['not_enough_money', 'earn_order_first'],
  isIdempotent: true,
});
