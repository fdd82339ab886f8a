import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../features/words.ts';
import type { SiteLocale } from '../../../../site.ts';

type Stores = Output<Routes['stores']>;
/** Store in which the account holder has a role. */
export type OwnStore = Stores['stores'][number];
export type StoreKind = OwnStore['kind'];
export type StoreRole = OwnStore['role'];
export type StorePermission = OwnStore['permissions'][number];

export const KIND_WORDS: Readonly<Record<StoreKind, () => string>> = {
  business: () => m.store_kind_business(),
  personal: () => m.store_kind_personal(),
  test: () => m.store_kind_test(),
};

export const ROLE_WORDS: Readonly<Record<StoreRole, () => string>> = {
  owner: () => m.store_role_owner(),
  manager: () => m.store_role_manager(),
  developer: () => m.store_role_developer(),
  accountant: () => m.store_role_accountant(),
};

/** Bearers of the fee for the exchange and of costs. */
export const BEARER_WORDS: Readonly<Record<OwnStore['costs_bearer'], () => string>> = {
  buyer: () => m.store_costs_buyer(),
  store: () => m.store_costs_store(),
};

/** Outcomes of a partly paid invoice that nobody decides about. */
export const SHORT_WORDS: Readonly<Record<OwnStore['short_preset'], () => string>> = {
  give_back: () => m.store_short_give_back(),
  accept: () => m.store_short_accept(),
};

/** Returns a number of minutes in words, in the largest unit that fits: `15 minutes`, `1 day`. */
export function durationOf(minutes: number, locale: SiteLocale): string {
  const [unit, size] = (
    [
      ['day', 1_440],
      ['hour', 60],
    ] as const
  ).find(([, each]) => minutes % each === 0) ?? ['minute', 1];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / size);
}

/** Roles that somebody may be invited for. */
export const INVITED_ROLES = ['manager', 'developer', 'accountant'] as const satisfies readonly StoreRole[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** Descriptions of permissions: the actions that they allow. */
export const PERMISSION_WORDS: Readonly<Record<StorePermission, () => string>> = {
  'invoices.read': () => m.store_may_read_invoices(),
  'reports.read': () => m.store_may_read_reports(),
  'invoices.create': () => m.store_may_create_invoices(),
  'invoices.manage': () => m.store_may_manage_invoices(),
  'payments.decide': () => m.store_may_decide_payments(),
  'refunds.create': () => m.store_may_create_refunds(),
  'refunds.approve': () => m.store_may_approve_refunds(),
  'refunds.propose': () => m.store_may_propose_refunds(),
  'store.manage': () => m.store_may_manage_store(),
  'webhooks.manage': () => m.store_may_manage_webhooks(),
  'keys.manage': () => m.store_may_manage_keys(),
  'members.manage': () => m.store_may_manage_members(),
  'settlement.move': () => m.store_may_move_settlement(),
};
