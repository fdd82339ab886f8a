import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';

export const settings = defineSettings('wallets', {
  'wallets.uncleared_days': {
    schema: z.int().min(1).max(400),
    initial: 180,
    unit: 'days',
    looser: 'down',
    words: 'days for which a reversible deposit stays uncleared',
  },
  'wallets.deposit_minutes': {
    schema: z.int().min(5).max(1_440),
    initial: 60,
    unit: 'minutes',
    looser: 'none',
    words: 'minutes for which a deposit requested at a payment system can be paid',
  },
});

const DAY_MS = 86_400_000;

/** Returns the time for which a reversible deposit is uncleared, in ms. */
export const unclearedMs = (): number => settings.get('wallets.uncleared_days') * DAY_MS;
/** Returns the time for which a requested deposit can be paid, in ms. */
export const depositRequestMs = (): number => settings.get('wallets.deposit_minutes') * 60_000;
