import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../features/words.ts';

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
