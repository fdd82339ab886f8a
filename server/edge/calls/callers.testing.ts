// Tables of callers, written by hand: which callers each call admits. Only for tests.

import type { StorePermission } from '@kurs/contract';
import { newId } from '../../platform/index.ts';

const names = (text: string): string[] => text.split(/\s+/).map((name) => `operator${name}`);

/** Calls of the desk, by role. These tables must match the permissions that the calls and the roles state. */
export const OF_OPERATORS =
  names(`Abuse AbuseDecide Affiliate Arrival Arrivals BusinessDisputeCost BusinessWriteOff Clear Close CouponNew CouponStop Coupons Deliveries Delivery Difference Direction Directions Doubt Doubts FeedCode FoundLate FoundLateAction Fuel
  Fund Payin Payouts Peg Claim Position Pot Pots PostbackOn Postbacks Prices Profit Rail Rails Repay Replay Reserves Restored RestoredBook RestoredEnd Say Scan Start Stop Stops Stuck TicketAnswer TicketClose Turnover Unallocated Withdraw Withdrawal`);
export const OF_COMPLIANCE = names(
  `Block BusinessDecide BusinessLimit BusinessReversible BusinessSite Deposit HeldPayment Level Unblock`,
);
export const OF_BOTH =
  names(`Alarms Audit Blocks Business Businesses Chat Chats Claims Clock Consent Debts Deposits HeldPayments Hire KnownBy Order OrderAction Orders Payins People Requests
  Revoke Role Roles Rotate Setting SettingChange Settings Ticket TicketFile Tickets Withdrawals`);
/** Calls that a desk key may make in live mode without a session. */
export const OF_ANY_KEY = ['deskFactorBegin', 'deskFactorEnable', 'deskSignIn', 'deskSignOut'];
/** Number of calls for account holders: if one became public by mistake, it would be missing. */
export const OF_HOLDERS = 150;

/** Calls that also accept an API key, with the scope that it needs. */
export const OF_KEYS: Readonly<Record<string, string>> = {
  userOrders: 'orders.read',
  userOrder: 'orders.read',
  wallets: 'wallets.read',
  partnerRates: 'partner.read',
  partnerOrder: 'partner.read',
  partnerStatistics: 'partner.read',
  partnerOrderPlace: 'partner.orders',
  store: 'invoices.read',
  invoiceMake: 'invoices.create',
  invoices: 'invoices.read',
  storeInvoice: 'invoices.read',
  invoiceCancel: 'invoices.manage',
  storeTestPay: 'invoices.manage',
  storeBalance: 'reports.read',
  settlements: 'reports.read',
  storePreview: 'invoices.read',
  storeEntries: 'reports.read',
  storeReport: 'reports.read',
  storeEvents: 'invoices.read',
  storeWebhooks: 'webhooks.manage',
  storeWebhook: 'webhooks.manage',
  storeWebhookMake: 'webhooks.manage',
  storeWebhookChange: 'webhooks.manage',
  storeWebhookRemove: 'webhooks.manage',
  storeWebhookRotate: 'webhooks.manage',
  storeWebhookEndFormer: 'webhooks.manage',
  storeWebhookOn: 'webhooks.manage',
  storeWebhookDeliveries: 'webhooks.manage',
  storeWebhookDelivery: 'webhooks.manage',
  storeWebhookReplay: 'webhooks.manage',
  storeWebhookTest: 'webhooks.manage',
  storeLinks: 'invoices.manage',
  storeLinkMake: 'invoices.manage',
  storeLinkChange: 'invoices.manage',
  storeLinkRemove: 'invoices.manage',
  storeLinkPictureRemove: 'invoices.manage',
  invoiceMark: 'invoices.manage',
  invoiceArchive: 'invoices.manage',
  storeChange: 'store.manage',
  refundMake: 'refunds.create',
  refunds: 'invoices.read',
  storeRefund: 'invoices.read',
  refundCancel: 'refunds.create',
  refundClaims: 'invoices.read',
  claimConfirm: 'refunds.approve',
  claimRefuse: 'refunds.approve',
  refundAmounts: 'refunds.create',
};

export const ID = newId();
const ALL = 'owner manager developer accountant';
/** Calls about one store: the roles that may make them, and an input that is valid, besides the store. */
export const OF_STORES: Readonly<Record<string, readonly [roles: string, input: object]>> = {
  store: [ALL, {}],
  storeChange: ['owner manager', { name: 'Other' }],
  storeSiteAdd: ['owner manager', { site: 'a.example' }],
  storeSiteRemove: ['owner manager', { site: 'a.example' }],
  storeMarkRemove: ['owner manager', {}],
  storeMembers: ['owner', {}],
  storeInvite: ['owner', { email: 'cat@example.org', role: 'manager' }],
  storeInviteWithdraw: ['owner', { id: ID }],
  storeMemberChange: ['owner', { id: ID, role: 'manager' }],
  storeMemberRemove: ['owner', { id: ID }],
  storeLeave: [ALL, {}],
  storeKeys: ['owner developer', {}],
  storeKeyMake: ['owner developer', { name: 'shop', permissions: ['invoices.read'] }],
  storeKeyRevoke: ['owner developer', { id: ID }],
  invoiceMake: ['owner manager developer', { amount: '10' }],
  storeLinks: ['owner manager developer', {}],
  storeLinkMake: ['owner manager developer', { title: 'Tea', amount: '10' }],
  storeLinkChange: ['owner manager developer', { id: ID, on: false }],
  storeLinkRemove: ['owner manager developer', { id: ID }],
  storeLinkPictureRemove: ['owner manager developer', { id: ID }],
  invoices: [ALL, {}],
  storeInvoice: [ALL, { id: ID }],
  invoiceCancel: ['owner manager developer', { id: ID }],
  storeTestPay: ['owner manager developer', { id: ID, case: 'seen' }],
  invoiceAccept: ['owner manager', { id: ID, version: 1 }],
  invoiceGiveBack: ['owner manager', { id: ID, version: 1 }],
  storeBalance: [ALL, {}],
  settlements: [ALL, {}],
  settlementMake: ['owner', { currency: 'USDT', amount: '1' }],
  settlementMoveBack: ['owner', { currency: 'USDT', amount: '1' }],
  settlementDaily: ['owner', { on: true }],
  storePreview: [ALL, { amount: '10' }],
  storeEntries: [ALL, {}],
  storeReport: [ALL, {}],
  storeEntryExportTicket: [ALL, {}],
  storeInvoiceExportTicket: [ALL, {}],
  storePaymentExportTicket: [ALL, {}],
  storeRefundExportTicket: [ALL, {}],
  storeEvents: [ALL, {}],
  storeWebhooks: ['owner manager developer', {}],
  storeWebhook: ['owner manager developer', { id: ID }],
  storeWebhookMake: ['owner manager developer', { url: 'https://shop.example/' }],
  storeWebhookChange: ['owner manager developer', { id: ID }],
  storeWebhookRemove: ['owner manager developer', { id: ID }],
  storeWebhookRotate: ['owner manager developer', { id: ID }],
  storeWebhookEndFormer: ['owner manager developer', { id: ID }],
  storeWebhookOn: ['owner manager developer', { id: ID }],
  storeWebhookDeliveries: ['owner manager developer', { id: ID }],
  storeWebhookDelivery: ['owner manager developer', { id: ID }],
  storeWebhookReplay: ['owner manager developer', { id: ID }],
  storeWebhookTest: ['owner manager developer', { id: ID }],
  refundMake: ['owner manager', { amount: '10' }],
  refunds: [ALL, {}],
  storeRefund: [ALL, { id: ID }],
  refundCancel: ['owner manager', { id: ID }],
  refundClaims: [ALL, {}],
  claimConfirm: ['owner manager', { id: ID }],
  claimRefuse: ['owner manager', { id: ID }],
  refundAmounts: ['owner manager', { invoice: ID }],
  refundCaps: ['owner', {}],
  refundCapSet: ['owner', { cap: '100' }],
  invoiceMark: ['owner manager developer', { id: ID, as: 'settled' }],
  invoiceArchive: ['owner manager developer', { id: ID }],
};

/** Permission of members for the calls about a store that no API key makes, and for a call that leaves a store. */
export const OF_PEOPLE: Readonly<Record<string, StorePermission>> = {
  storeLeave: 'invoices.read',
  ...Object.fromEntries(['storeSiteAdd', 'storeSiteRemove', 'storeMarkRemove'].map((name) => [name, 'store.manage'])),
  ...Object.fromEntries(['Entry', 'Invoice', 'Payment', 'Refund'].map((name) => [`store${name}ExportTicket`, 'reports.read'])),
  ...Object.fromEntries(['invoiceAccept', 'invoiceGiveBack'].map((name) => [name, 'payments.decide'])),
  ...Object.fromEntries(['storeKeys', 'storeKeyMake', 'storeKeyRevoke'].map((name) => [name, 'keys.manage'])),
  ...Object.fromEntries(['settlementMake', 'settlementMoveBack', 'settlementDaily'].map((name) => [name, 'settlement.move'])),
};
