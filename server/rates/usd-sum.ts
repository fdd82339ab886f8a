// Sums in USD, as settings keep them.

import { parse } from '@kurs/money';
import { z } from 'zod';

/** The schema of every setting in USD: a sum in whole cents, as text. */
export const usdSum = z.string().regex(/^[0-9]{1,12}(\.[0-9]{1,2})?$/);

/** Such a sum in cents. */
export const usdCents = (sum: string): bigint => parse('USD', sum).parts;
