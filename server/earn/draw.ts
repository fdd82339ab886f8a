// The state machine of a draw, and the computation of its prize from the seed and the holder's text. Pure.

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type PrizeRow, drawText, numberOf, prizeAt } from '@kurs/contract/draw';
import { REWARD_UNIT, parse } from '@kurs/money';
import type { Machine, MachineRow } from '../platform/index.ts';

export type DrawState = 'open' | 'claimed' | 'abandoned';

/** Identities of a draw's holder by compliance's keys: mailbox, device and network. Absent where they don't count. */
export interface Whence {
  /** The canonical address. */
  readonly customer?: string | undefined;
  readonly device?: string | undefined;
  readonly network?: string | undefined;
}

/** A draw. Sums are parts of the unit of rewards. */
export interface Draw extends Whence {
  readonly id: string;
  readonly holderId: string;
  readonly hour: Date;
  readonly seed: Buffer;
  readonly table: readonly PrizeRow[];
  /** The greatest prize of its table: so much is set aside while it is open. */
  readonly max: bigint;
  readonly state: DrawState;
  readonly clientSeed: string | undefined;
  readonly prize: bigint | undefined;
  readonly begunAt: Date;
  readonly endsAt: Date;
}

type Row = MachineRow<DrawState, 'claim' | 'ended', 'win'>;

const ROWS: readonly Row[] = [
  { from: ['open'], event: 'claim', who: 'C', next: ['claimed'], money: ['win'], when: 'within its minutes' },
  { from: ['open'], event: 'ended', who: 'S', next: ['abandoned'], money: [] },
];

/** Words for each posting, with its accounts. */
export const DRAW_POSTINGS = { win: 'its prize: `promo:earn → earn`' } as const;

/** The table of draws, for its drawing and its proof. */
export const DRAW_MACHINE: Machine<DrawState, 'claim' | 'ended', Row> = {
  name: 'earn-draw',
  file: 'server/earn/draw.ts',
  begins: [{ state: 'open', event: 'begun: the hour’s, and the greatest prize is set aside in the pot' }],
  states: {
    open: 'in `promo:earn`: as much as the greatest prize of its table',
    claimed: 'in `earn:<holder>`: its prize',
    abandoned: 'in `promo:earn`, for others; its seed is published without its holder',
  },
  rests: new Set(['claimed', 'abandoned']),
  actors: { C: 'customer', S: 'system' },
  rows: ROWS,
};

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The beginning of the hour, and of the UTC day, that a moment is in. */
export const hourOf = (at: Date): Date => new Date(at.getTime() - (at.getTime() % HOUR_MS));
export const dayOf = (at: Date): Date => new Date(at.getTime() - (at.getTime() % DAY_MS));

/** A new seed. */
export const newSeed = (): Buffer => randomBytes(32);

/** Returns the desk's commitment before it knows a text: SHA-256 of the seed, in hex. */
export const commitOf = (seed: Buffer): string => createHash('sha256').update(seed).digest('hex');

/** A sum of USD as parts of the unit of rewards. */
export const partsOf = (usd: string): bigint => parse(REWARD_UNIT, usd).parts;

/** Returns the prize of a draw. The HMAC-SHA256 of the holder's text under the draw's seed selects it. */
export function prizeOf({ id, seed, table }: Pick<Draw, 'id' | 'seed' | 'table'>, clientSeed: string): bigint {
  const mac = createHmac('sha256', seed).update(drawText(clientSeed, id)).digest();
  return partsOf(prizeAt(table, numberOf(mac)));
}
