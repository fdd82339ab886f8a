// The parts of the code that `npm run mutants` changes, and the tests of each part that must notice.

/** Files to mutate, and tests without a database that must fail. */
export interface Part {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

/** Compares the drawn machines with their tables, so that a changed table is noticed. */
const DRAWINGS = 'tools/draw-machines.test.ts';

/** Tests that go through all states of a machine. They run last, as they take longest. */
export const EXPLORES = /exhaustive/;

export const PARTS: Readonly<Record<string, Part>> = {
  money: { mutate: ['money/*.ts'], tests: ['money/*.test.ts'] },
  exchange: {
    mutate: [
      'server/exchange/**/{machine,guards,payment-coverage,steps,step-helpers,transfer-steps,reversal-steps,timers,draft}.ts',
    ],
    // Tests that go through all states take 15 s for each mutant, and find none that single rows don't.
    tests: ['server/exchange/{machine,order,apply,actions,calculation,scenarios,views}/**/*.test.ts', DRAWINGS],
  },
  // Sums of an exchange, which have quick tests of their own.
  sums: {
    mutate: [
      'server/exchange/**/{postings,breakdown,hold,derived-orders,approvals,order-coupons}.ts',
      'server/collecting/{collection,legs,pieces}.ts',
      'server/coupons/use.ts',
      'server/affiliates/reward-sums.ts',
    ],
    tests: [
      'server/exchange/**/{postings,pieces,breakdown,hold,derived-orders,approvals,order-coupons}*.test.ts',
      'server/exchange/scenarios/{bounds,in-time,shown,one-component}.test.ts',
      'server/{collecting,coupons,affiliates}/*.test.ts',
    ],
  },
  prices: {
    mutate: ['server/pricing/quotes/quote.ts', 'server/rates/snapshot.ts', 'web/features/calculator/price-breakdown.ts'],
    tests: [
      'server/{pricing,rates}/**/*.test.ts',
      'server/bin/seed/directions.test.ts',
      'web/features/calculator/price-breakdown.test.ts',
    ],
  },
  ledger: { mutate: ['server/ledger/chart/legal-legs.ts'], tests: ['server/ledger/chart/*.test.ts'] },
  payments: {
    mutate: [
      'server/payments/**/{payout,payin,finality,returned-sends,standing-difference}.ts',
      'server/payments/**/{balance-time,reconcile,payout-books,written-money,settings}.ts',
    ],
    tests: [
      'server/payments/**/{payout,payin,finality,returned,standing-difference,balance-time,looks-by-age}*.test.ts',
      'server/exchange/scenarios/letter-names.test.ts',
      'server/wallets/withdrawals/withdrawal.exhaustive.test.ts',
    ],
  },
  wallets: {
    mutate: ['server/wallets/*/{withdrawal,deposit}.ts', 'server/moneyout/rule.ts'],
    tests: ['server/wallets/**/*.test.ts', 'server/moneyout/*.test.ts', DRAWINGS],
  },
  chains: {
    mutate: [
      'server/rails/bitcoin/{history,observed-payments}.ts',
      'server/rails/evm/**/{blocks,chain,coins,missing-payments,tokens,sending}.ts',
      'server/rails/tron/{chain,client,observed-payments}.ts',
    ],
    tests: [
      'server/rails/bitcoin/{history,observed-payments}.test.ts',
      'server/rails/evm/**/{behind,chain,coins,missing-payments,payin,payout,nonce-used-by}.test.ts',
      'server/rails/tron/{behind,client,payin}.test.ts',
    ],
  },
  providers: {
    mutate: [
      'server/rails/paypal/{client,made-events,payout}.ts',
      'server/rails/{volet,webmoney}/payout.ts',
      'server/rails/provider/observe-each.ts',
      'server/rails/{pasted,rails}.ts',
      'server/supervisor/providers.ts',
    ],
    tests: [
      'server/rails/*.test.ts',
      'server/rails/{paypal,volet,webmoney,payeer,provider}/**/*.test.ts',
      'server/edge/calls/rails-refused.test.ts',
    ],
  },
  platform: {
    mutate: [
      'server/platform/base/{sweeper,config}.ts',
      'server/platform/db/{loosening,settings}.ts',
      'server/platform/events/email.ts',
      'server/platform/files/{append-file,xlsx}.ts',
      'server/platform/http/**/{event-stream,principal}.ts',
      'server/platform/process/keys.ts',
    ],
    tests: [
      'server/platform/**/{sweeper,config,loosening,append-file,xlsx,keys,event-stream,calls}*.test.ts',
      'server/operator/actions/settings.test.ts',
      'server/compliance/customers/subject.test.ts',
      'server/edge/calls/rails-refused.test.ts',
    ],
  },
  compliance: {
    mutate: ['server/compliance/customers/subject.ts', 'server/compliance/screening/{screening,http-screener}.ts'],
    tests: ['server/compliance/**/*.test.ts'],
  },
  edge: {
    mutate: [
      'server/edge/**/{sandbox-routes,ready-file,kept-pages}.ts',
      'server/deliveries/post.ts',
      'server/alarms/alarm.ts',
      'contract/fields/free-text.ts',
      'contract/openapi/openapi.ts',
      'web/server/routing/visit.ts',
    ],
    tests: [
      'server/edge/**/{sandbox-page,static-files,kept-pages}.test.ts',
      'server/{deliveries,alarms}/*.test.ts',
      'contract/{fields,openapi}/*.test.ts',
      'web/server/routing/visit.test.ts',
    ],
  },
};
