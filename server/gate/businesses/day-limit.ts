import { usdCents } from '../../rates/index.ts';
import { settings } from '../settings.ts';
import type { Business } from './business.ts';

/** Returns the maximum in cents of settled sums in 24 hours of a business that has no limit of its own. */
export const generalDayLimit = (): bigint => usdCents(settings.get('gate.business_day_usd'));

/** Returns the maximum in cents of settled sums of a business in 24 hours: its own, or that of all businesses. */
export const dayLimitOf = ({ dayUsd }: Pick<Business, 'dayUsd'>): bigint => dayUsd ?? generalDayLimit();
