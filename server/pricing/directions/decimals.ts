import { z } from 'zod';

/** An amount as an operator writes it: a plain decimal, with its unit stated elsewhere. */
export const amountText = z.string().regex(/^(0|[1-9][0-9]{0,20})(\.[0-9]{1,18})?$/);

/** A share as an operator writes it: percent below 100, with up to four decimals. */
export const shareText = z.string().regex(/^[0-9]{1,2}(\.[0-9]{1,4})?$/);
