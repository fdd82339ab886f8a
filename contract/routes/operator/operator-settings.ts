import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { time } from '../../wire.ts';
import { acted, reason } from './operator.ts';
import { quoteChange } from './operator-prices.ts';

const key = z.string().max(80, { error: 'too_long' });
/** Value of a setting: plain for text and figures, JSON for anything else. */
const value = z.string();

const setting = z.object({
  key,
  words: z.string(),
  /** Unit of the setting's figures. */
  unit: z.string().optional(),
  value,
  /** Default value. */
  initial: value,
});

export const operatorSettings = route({
  ...desk,
  allows: 'operator: settings.read',
  method: 'GET',
  path: '/operator/settings',
  summary: 'Every setting with its value',
  input: z.object({}),
  output: z.array(setting),
  problems: ['unauthorised', 'forbidden'],
});

export const operatorSetting = route({
  ...desk,
  allows: 'operator: settings.read',
  method: 'GET',
  path: '/operator/setting',
  summary: 'One setting with its bounds and earlier values, newest first',
  input: z.object({ key }),
  output: setting.extend({
    bounds: z.string(),
    history: z.array(z.object({ version: z.int(), value, by: z.string(), at: time })),
  }),
  problems: ['unauthorised', 'forbidden', 'validation'],
});

export const operatorSettingChange = route({
  ...desk,
  allows: ['operator: settings.change', 'operator: settings.compliance'],
  method: 'POST',
  path: '/operator/setting',
  summary:
    'Preview a change of a setting, or make it. Two people if more money may leave, less is proved, less is screened or customers get much less; otherwise one',
  input: z.object({
    key,
    value: z.string().max(20_000, { error: 'too_long' }).optional(),
    /** Version whose value is restored, in place of `value`. Version 0 is the default value. */
    version: z.int().min(0).optional(),
    /** True to make the change; false to preview it only. */
    apply: z.boolean().default(false),
    reason: reason.optional(),
  }),
  output: z.object({
    status: z.enum(['preview', ...acted.shape.status.options]),
    request: z.string().optional(),
    key,
    unit: z.string().optional(),
    before: value,
    after: value,
    bounds: z.string(),
    /** Number of people who must agree to the change. */
    people: z.int(),
    /** For a setting that affects prices: sums that customers get before and after, in each direction where they change. */
    prices: z.array(z.object({ slug: z.string(), from: z.string(), to: z.string(), quotes: z.array(quoteChange) })).optional(),
  }),
  problems: ['unauthorised', 'forbidden', 'validation', 'same_person', 'request_differs'],
  isIdempotent: true,
});
