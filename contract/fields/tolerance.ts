import { z } from 'zod';

/** Schema of the part of an invoice that may be missing: a percentage from 0 to 5, with at most two decimals. */
export const tolerance = z
  .string()
  .regex(/^(?:5(?:\.00?)?|[0-4](?:\.[0-9]{1,2})?)$/, { error: 'tolerance_format' })
  .meta({
    description: 'Percentage of an invoice’s amount that may be missing: 0 to 5, with at most two decimals',
    examples: ['0.5'],
  });
