import type { Sender } from '../deliveries/index.ts';
import { type Context, type Db, type Mode, type Sealer, defineKeyBudget, userOf } from '../platform/index.ts';
import { bookkeepingRoutes } from './bookkeeping/routes.ts';
import { businessRoutes } from './businesses/routes.ts';
import { invoiceRoutes } from './invoice-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { storesOverview } from './overview/overview.ts';
import { refundRoutes } from './refunds/routes.ts';
import { settings } from './settings.ts';
import { settlementRoutes } from './settlements/routes.ts';
import { storeRoutes } from './stores/routes.ts';
import { STORE } from './stores/store.ts';
import { webhookRoutes } from './webhooks/routes.ts';

defineKeyBudget(STORE, () => settings.get('gate.key_writes_minute'));

/** Dependencies of the room's handlers. */
export interface GateDeps {
  readonly db: Db;
  readonly sender: Sender;
  readonly mode: Mode;
  /** Decrypts stored second-factor secrets. */
  readonly sealer: Sealer;
  /** Encrypts and decrypts the secrets that sign webhooks. */
  readonly webhooks: Sealer;
  /** Origin that may be private and receives webhooks, in a sandbox; empty for none. */
  readonly privateOrigin: string;
}

/** Returns the handlers of the room's calls, by the calls' names in the contract. */
export const gateRoutes = (deps: GateDeps) => ({
  ...businessRoutes(deps),
  ...storeRoutes(deps),
  ...memberRoutes(deps),
  ...keyRoutes(deps),
  ...invoiceRoutes(deps),
  ...settlementRoutes(deps),
  ...bookkeepingRoutes(deps),
  ...webhookRoutes(deps),
  ...linkRoutes(deps),
  storesOverview: (_input: object, context: Context) => storesOverview(deps.db, userOf(context).id),
  ...refundRoutes(deps),
});
