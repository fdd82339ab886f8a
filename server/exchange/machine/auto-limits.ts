// Limits below which payouts leave automatically, as the operator has set them.

import { cents, settings } from './settings.ts';

/** Limits in cents of USD. `floatPercent`: share of a rail's float in percent. */
export interface AutoLimits {
  readonly order: bigint;
  readonly customerDay: bigint;
  readonly deskHour: bigint;
  readonly deskDay: bigint;
  readonly floatPercent: number;
  readonly twoPeople: bigint;
}

/** Returns the current limits. */
export function autoLimits(): AutoLimits {
  return {
    order: cents('exchange.auto_order_usd'),
    customerDay: cents('exchange.auto_customer_day_usd'),
    deskHour: cents('exchange.auto_desk_hour_usd'),
    deskDay: cents('exchange.auto_desk_day_usd'),
    floatPercent: settings.get('exchange.auto_float_percent'),
    twoPeople: cents('exchange.two_people_usd'),
  };
}
