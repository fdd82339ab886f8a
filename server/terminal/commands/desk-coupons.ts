// The desk tool's commands for coupons; includes those for affiliates and pots.

import { AFFILIATES } from './desk-affiliates.ts';
import { POTS } from './desk-pots.ts';
import type { SupportTool } from './desk-support.ts';
import { couponRow } from '../desk-rows.ts';
import type { Usage } from '../desk-usage.ts';

export const COUPONS_HELP: readonly Usage[] = [
  ['coupons [--state live|waiting|over|stopped|void]', 'coupons with their uses, and what they may still cost'],
  [
    'coupon new [CODE] --percent P|--value USD --reason "…" [--uses N] [--per-customer N] [--from TIME] [--until TIME] [--directions SLUG,SLUG] [--min USD] [--first] [--email ADDRESS] [--batch N] [--max USD]',
    'make a coupon, or a batch of them. Two people if all that one person makes in a day can cost more than a limit',
  ],
  ['coupon-stop CODE --reason "…"', 'end a coupon; uses held for orders stay'],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const GIVEN: Readonly<Record<string, Command>> = {
  ...POTS,
  ...AFFILIATES,
  async coupons({ client, flags, isJson, table }) {
    const [state] = flags.state ?? [];
    const found = await client.operatorCoupons(state === undefined ? {} : { state: state as 'live' });
    table(isJson ? found : found.map(couponRow));
  },
  async coupon({ client, flags, need, key, show, print }, args) {
    if (need(args[0], 'new') !== 'new') throw new Error('coupon new makes one; coupons lists them');
    const some = <N extends string, V>(name: N, value: V | undefined): { readonly [K in N]?: V } =>
      value === undefined ? {} : ({ [name]: value } as { readonly [K in N]?: V });
    const whole = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
    const answer = await client.operatorCouponNew(
      {
        ...some('code', args[1]),
        ...some('percent', flags.percent),
        ...some('value', flags.value),
        uses: whole(flags.uses) ?? 1,
        per_customer: whole(flags['per-customer']) ?? 1,
        ...some('from', flags.from),
        ...some('until', flags.until),
        ...some('directions', flags.directions?.split(',')),
        ...some('least_usd', flags.min),
        first_order: flags.first ?? false,
        ...some('email', flags.email),
        ...some('most_usd', flags.max),
        ...some('batch', whole(flags.batch)),
        reason: need(flags.reason, '--reason'),
      },
      key,
    );
    const { codes, ...acted } = answer;
    show(acted);
    for (const code of codes) print(code);
  },
  async 'coupon-stop'({ client, flags, need, key, show }, args) {
    show(await client.operatorCouponStop({ code: need(args[0], 'the code'), reason: need(flags.reason, '--reason') }, key));
  },
};
