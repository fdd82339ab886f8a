import { z } from 'zod';

const wrong = { error: 'minutes_format' };

/** Schema of the minutes for which an invoice can be paid. The desk's settings bound them, so the server checks the bounds. */
export const lifeMinutes = z.int(wrong).min(1, wrong).max(1_000_000, wrong);
