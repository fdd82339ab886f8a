import { z } from 'zod';

/** A sum as an operator writes it: a plain decimal, in a unit that stands beside it. */
export const amountText = z.string().regex(/^(0|[1-9][0-9]{0,20})(\.[0-9]{1,18})?$/);

/** A share as an operator writes it: percent below 100, to four decimals. */
export const shareText = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/);
