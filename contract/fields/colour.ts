import { z } from 'zod';

/** Schema of a colour: six hex digits behind `#`, of which capitals become small letters. */
export const colour = z
  .string()
  .overwrite((text) => text.trim().toLowerCase())
  .regex(/^#[0-9a-f]{6}$/, { error: 'colour_format' })
  .meta({ description: 'A colour as `#rrggbb`', examples: ['#0c4a4e'] });
