import type { Route } from '../route.ts';
import * as account from './account/account.ts';
import * as affiliates from './rewards/affiliates.ts';
import * as apiKeys from './account/api-keys.ts';
import * as auth from './account/auth.ts';
import * as business from './gate/business.ts';
import { botChallenge } from './compliance.ts';
import * as earn from './rewards/earn.ts';
import * as loyalty from './rewards/loyalty.ts';
import * as partner from './rewards/partner.ts';
import * as referrals from './rewards/referrals.ts';
import * as deskSessions from './operator/desk-sessions.ts';
import { landing, rules, status } from './content.ts';
import {
  calculation_,
  expire,
  orderChoose,
  orderEmail,
  orderGetOtp,
  orderStatusRoute,
  processOrder,
  processTransaction,
  step1,
  step2,
  step3,
  trackOrder,
} from './exchange.ts';
import * as moneyOut from './account/money-out.ts';
import * as notices from './account/notices.ts';
import * as operator from './operator/operator.ts';
import * as operatorHeldPayments from './operator/money/operator-held-payments.ts';
import * as operatorDeposits from './operator/money/operator-deposits.ts';
import * as operatorClaims from './operator/money/operator-claims.ts';
import * as operatorWithdrawals from './operator/money/operator-withdrawals.ts';
import * as operatorDoubts from './operator/money/operator-doubts.ts';
import { orderVoucher, orderRedeem } from './vouchers.ts';
import { couponCheck } from './rewards/coupons.ts';
import * as operatorAffiliates from './operator/money/operator-affiliates.ts';
import * as operatorCoupons from './operator/money/operator-coupons.ts';
import * as operatorPots from './operator/money/operator-pots.ts';
import * as operatorPrices from './operator/operator-prices.ts';
import * as operatorReports from './operator/operator-reports.ts';
import * as operatorRails from './operator/operator-rails.ts';
import * as operatorRestored from './operator/operator-restored.ts';
import * as operatorArrivals from './operator/money/operator-arrivals.ts';
import * as operatorDebts from './operator/money/operator-debts.ts';
import * as operatorCustomers from './operator/operator-customers.ts';
import * as storeReports from './gate/entries.ts';
import * as claims from './gate/claims.ts';
import * as invoices from './gate/invoices.ts';
import * as links from './gate/links.ts';
import * as members from './gate/members.ts';
import * as overview from './gate/overview.ts';
import * as pay from './gate/pay.ts';
import { storePreview } from './gate/preview.ts';
import * as refunds from './gate/refunds.ts';
import * as operatorBusinesses from './operator/operator-businesses.ts';
import * as settlements from './gate/settlements.ts';
import * as storeKeys from './gate/store-keys.ts';
import * as stores from './gate/stores.ts';
import * as webhooks from './gate/webhooks.ts';
import * as operatorAlarms from './operator/operator-alarms.ts';
import * as operatorDeliveries from './operator/operator-deliveries.ts';
import * as operatorPeople from './operator/operator-people.ts';
import * as operatorSettings from './operator/operator-settings.ts';
import * as operatorUnallocated from './operator/money/operator-unallocated.ts';
import * as operatorSupport from './operator/operator-support.ts';
import { health } from './platform.ts';
import { calculate, currencies, directions, gateways, rateHistory } from './pricing.ts';
import { receiptKeys } from './receipts.ts';
import * as sandbox from './sandbox.ts';
import * as support from './support.ts';
import * as wallets from './account/wallets.ts';
import * as userTransactions from './account/user-transactions.ts';
import { orderExportTicket, userOrder, userOrderFigures, userOrders } from './account/user-orders.ts';

/** The routes in a module, which may also export schemas. */
type RoutesOf<M> = { readonly [K in keyof M as M[K] extends Route ? K : never]: M[K] };

function routesOf<M extends object>(module: M): RoutesOf<M> {
  return Object.fromEntries(Object.entries(module).filter(([, value]) => 'path' in value)) as RoutesOf<M>;
}

/** All routes, by the names that the client and the server's handlers use. */
export const routes = {
  health,
  currencies,
  directions,
  rateHistory,
  calculate,
  calculation: calculation_,
  step1,
  step2,
  step3,
  couponCheck,
  processOrder,
  processTransaction,
  expire,
  receiptKeys,
  trackOrder,
  orderStatus: orderStatusRoute,
  orderGetOtp,
  orderChoose,
  orderEmail,
  orderRedeem,
  orderVoucher,
  ...routesOf(auth),
  ...routesOf(apiKeys),
  ...routesOf(account),
  ...routesOf(notices),
  ...routesOf(earn),
  ...routesOf(loyalty),
  ...routesOf(referrals),
  ...routesOf(affiliates),
  ...routesOf(partner),
  ...routesOf(wallets),
  ...routesOf(moneyOut),
  ...routesOf(userTransactions),
  userOrders,
  userOrder,
  userOrderFigures,
  orderExportTicket,
  botChallenge,
  gateways,
  landing,
  status,
  ...routesOf(support),
  rules,
  ...routesOf(business),
  ...routesOf(stores),
  ...routesOf(links),
  ...routesOf(members),
  ...routesOf(storeKeys),
  ...routesOf(invoices),
  ...routesOf(storeReports),
  ...routesOf(overview),
  ...routesOf(pay),
  ...routesOf(settlements),
  storePreview,
  ...routesOf(webhooks),
  ...routesOf(refunds),
  ...routesOf(claims),
  ...routesOf(deskSessions),
  ...routesOf(operator),
  ...routesOf(operatorDeposits),
  ...routesOf(operatorHeldPayments),
  ...routesOf(operatorWithdrawals),
  ...routesOf(operatorClaims),
  ...routesOf(operatorDoubts),
  ...routesOf(operatorAffiliates),
  ...routesOf(operatorCoupons),
  ...routesOf(operatorPots),
  ...routesOf(operatorPrices),
  ...routesOf(operatorRails),
  ...routesOf(operatorReports),
  ...routesOf(operatorRestored),
  ...routesOf(operatorArrivals),
  ...routesOf(operatorDebts),
  ...routesOf(operatorCustomers),
  ...routesOf(operatorAlarms),
  ...routesOf(operatorBusinesses),
  ...routesOf(operatorDeliveries),
  ...routesOf(operatorPeople),
  ...routesOf(operatorSettings),
  ...routesOf(operatorUnallocated),
  ...routesOf(operatorSupport),
  ...routesOf(sandbox),
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
