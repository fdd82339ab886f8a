// Binds the handlers of all rooms to the calls of the contract, except those of the desk.

import { affiliateRoutes, healthOfPostbacks, putPostback, switchPostbackOn } from '../../affiliates/index.ts';
import { type GoogleProvider, authRoutes } from '../../auth/index.ts';
import { complianceRoutes, levelOf, proveBot } from '../../compliance/index.ts';
import { countSignUp, forgetTypedBinding, referralRoutes } from '../../referrals/index.ts';
import type { OwnerKind } from '../../collecting/index.ts';
import { contentRoutes } from '../../content/index.ts';
import {
  type Receipts,
  type Sender,
  doneFigures,
  exchangeRoutes,
  latestDone,
  ordersAmong,
  reviewMinutes,
  timesTaken,
} from '../../exchange/index.ts';
import { earnRoutes } from '../../earn/index.ts';
import { gateRoutes, storeMoves } from '../../gate/index.ts';
import { moneyOutRoutes } from '../../moneyout/index.ts';
import { peopleWith } from '../../operator/index.ts';
import type { Config, Db, Sealer, Server, VersionWatch } from '../../platform/index.ts';
import { directionOf, heldShare, pricingRoutes } from '../../pricing/index.ts';
import { type ChatWatch, supportRoutes } from '../../support/index.ts';
import { moneyOutOfWallets, walletRoutes } from '../../wallets/index.ts';
import { healthCall } from './health.ts';
import { mountAll } from './mount-all.ts';
import { type AccountWatch, moveAddress, noticeHandlers, whatIsLeft } from '../../accounts/index.ts';

/** Dependencies of the route handlers. */
export interface RoomParts {
  readonly db: Db;
  readonly mode: Config['KURS_MODE'];
  /** Id of the site's build. */
  readonly build: string;
  readonly sender: Sender;
  readonly receipts: Receipts;
  /** Encrypts and decrypts the codes of bought vouchers. */
  readonly vouchers: Sealer;
  /** Encrypts and decrypts the secrets of second factors. */
  readonly factors: Sealer;
  /** Encrypts and decrypts the secrets that sign webhooks. */
  readonly webhooks: Sealer;
  /** Origin that may be private and receives webhooks, in a sandbox; empty for none. */
  readonly privateWebhooks: string;
  readonly google: GoogleProvider | undefined;
  readonly owners: readonly OwnerKind[];
  readonly watches: {
    /** Watches of the owners that pages follow, such as orders, by the kind of owner. */
    readonly owners: ReadonlyMap<string, VersionWatch>;
    readonly accounts: AccountWatch;
    readonly chats: ChatWatch;
  };
}

/** Binds every room's handlers to the contract's calls, except those of the desk (mount-desk.ts). */
export function mountRooms(to: Server, parts: RoomParts): void {
  const { db, mode, build, sender, receipts, vouchers, factors, webhooks, google, owners, watches } = parts;
  const handlers = {
    health: healthCall({ db, mode, build }),
    ...pricingRoutes,
    ...authRoutes({
      db,
      mode,
      name: sender.name,
      sealer: factors,
      proveBot,
      levelOf,
      moveCustomer: moveAddress,
      signedUp: countSignUp,
      signedIn: forgetTypedBinding,
      whatIsLeft,
      google,
    }),
    ...walletRoutes({ db, sealer: vouchers }, [ordersAmong, storeMoves]),
    ...moneyOutRoutes({ db, sealer: factors }),
    ...moneyOutOfWallets({ db, sealer: factors, voucher: vouchers, name: sender.name }),
    ...complianceRoutes(heldShare),
    ...referralRoutes(db, {
      put: (tx, of) => putPostback(tx, webhooks, of),
      ...{ switchOn: switchPostbackOn, healthOf: healthOfPostbacks },
    }),
    ...contentRoutes({
      latestOrders: latestDone,
      figures: doneFigures,
      times: (on) => timesTaken(on, (from, to) => directionOf(from, to).slug),
      quoteMinutes: reviewMinutes,
    }),
    ...supportRoutes({ db, sender, proveBot, owners }),
    ...exchangeRoutes({
      db,
      sender,
      chats: watches.chats,
      receipts,
      sealer: vouchers,
      factors,
      operators: (on) => peopleWith(on, 'orders.run'),
    }),
    ...earnRoutes(db),
    userChanges: watches.accounts.work,
    ...noticeHandlers(db),
    ...affiliateRoutes(db, sender.tokens),
    ...gateRoutes({ db, sender, mode, sealer: factors, webhooks, privateOrigin: parts.privateWebhooks }),
  };
  const streams: Record<string, unknown> = { userChanges: watches.accounts.stream };
  for (const { kind, stream } of owners) {
    const watch = watches.owners.get(kind);
    if (stream && watch) streams[stream.call] = stream.open({ db, sender, watch, chats: watches.chats });
  }
  mountAll(to, handlers, streams);
}
