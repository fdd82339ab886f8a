import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';

export const settings = defineSettings('wallets', {
  'wallets.uncleared_days': {
    schema: z.int().min(1).max(400),
    initial: 180,
    unit: 'days',
    looser: 'down',
    words: 'days after which a deposit that can be taken back is its holder’s to use',
  },
  'wallets.deposit_minutes': {
    schema: z.int().min(5).max(1_440),
    initial: 60,
    unit: 'minutes',
    looser: 'none',
    words: 'minutes for which a deposit that was asked for at a payment system can be paid',
  },
});

const DAY_MS = 86_400_000;

/** How long a deposit that can be taken back stays uncleared, in milliseconds. */
export const unclearedMs = (): number => settings.get('wallets.uncleared_days') * DAY_MS;
/** How long a deposit that was asked for can be paid, in milliseconds. */
export const depositRequestMs = (): number => settings.get('wallets.deposit_minutes') * 60_000;
