import { alteredHolders } from '../auth/index.ts';
import { affiliateCheck } from '../affiliates/index.ts';
import { complianceCheck } from '../compliance/index.ts';
import { couponCheck } from '../coupons/index.ts';
import { alteredDeliveries } from '../deliveries/index.ts';
import { earnCheck } from '../earn/index.ts';
import { gateCheck } from '../gate/index.ts';
import type { OwnerKind } from '../collecting/index.ts';
import { type BooksCheck, accuse, checkOfRows } from '../ledger/index.ts';
import { moneyOutCheck } from '../moneyout/index.ts';
import { paymentsCheck } from '../payments/index.ts';
import { alteredSettings } from '../platform/index.ts';
import { potCheck } from '../pots/index.ts';
import { alteredBlocks } from './altered-blocks.ts';
import { couponActFaults } from './coupon-actions.ts';
import { olderThanDecided } from './decided-actions.ts';
import { proveAuditFrom } from './people/audit-seal.ts';
import { alteredRoles } from './people/change-role.ts';
import { alteredPeople, requestsNotRequested } from './people/store.ts';

/** Checks that the audit is unaltered, and that nobody changed settings, blocks, accounts, people and deliveries by SQL. */
const deskCheck: BooksCheck = {
  ...checkOfRows(async (db, scope) => [
    ...accuse('setting', await alteredSettings(db), 'the setting is not what was put last'),
    ...accuse('block', await alteredBlocks(db), 'the block is not what the desk’s actions say'),
    ...accuse('holder', await alteredHolders(db), 'the account is not what was written of its holder'),
    ...accuse('person', await alteredPeople(db), 'who may act, and by which key, is not what the desk’s actions say'),
    ...accuse(
      'request',
      (await requestsNotRequested(db)).map(({ id }) => id),
      'nobody has asked for it, by the desk’s actions',
    ),
    ...accuse('role', await alteredRoles(db), 'what the role may do is not what the desk’s actions say'),
    ...accuse(
      'delivery',
      await alteredDeliveries(db, { isOpen: scope !== undefined }),
      'what goes out, or where it goes, is not as it was written',
    ),
    ...(await olderThanDecided(db)),
    ...(await couponActFaults(db, { isOpen: scope !== undefined })),
  ]),
  chain: { table: 'audit_seal', prove: proveAuditFrom },
};

/**
 * Returns all checks of the books: of each kind of owner, and of every other room that posts journals or stores rows about money.
 */
export const checksOf = (owners: readonly OwnerKind[]): readonly BooksCheck[] => [
  paymentsCheck,
  complianceCheck,
  moneyOutCheck,
  ...owners.map(({ check }) => check),
  potCheck,
  couponCheck,
  earnCheck,
  affiliateCheck,
  gateCheck,
  deskCheck,
];
