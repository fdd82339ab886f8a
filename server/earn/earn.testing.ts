// Setup for tests of prizes: the books with money in the pot, account holders, and events of their orders.

import { writeHolderMacs } from '../auth/testing.ts';
import { configureCompliance, setLevel } from '../compliance/index.ts';
import { alone } from '../collecting/index.ts';
import { couponCheck } from '../coupons/index.ts';
import type { OrderPublished } from '../exchange/index.ts';
import { type Fault, accounts, balance, leg, post, verify } from '../ledger/index.ts';
import { type AccountHolder, type Db, newId, putSetting, watchSettings } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { fundPot, potAccount, potCheck } from '../pots/index.ts';
import { partsOf } from './draw.ts';
import { earnCheck } from './check-books.ts';
import { earnSubscription } from './orders.ts';

interface OrderOf {
  readonly id?: string;
  /** Amount given, and the fee on it, in USDT. */
  readonly worth?: string;
  readonly fee?: string;
  readonly keys?: readonly string[];
  /** Keys that were only typed. */
  readonly typed?: readonly string[];
  readonly sentBy?: OrderPublished['sentBy'];
}

export interface EarnWorld {
  readonly db: Db;
  readonly owner: Db;
  readonly url: string;
  readonly ownerUrl: string;
  put(key: string, value: unknown): Promise<void>;
  holdInPot(usd: string): Promise<void>;
  holder(level?: 2): Promise<AccountHolder>;
  /** Lets the room handle the events of a holder's order. Returns its id. */
  order(holder: AccountHolder, kind: string, of?: OrderOf): Promise<string>;
  /** Lets the room handle several of an order's events in one transaction. */
  orders(holder: AccountHolder, id: string, kinds: readonly string[]): Promise<unknown>;
  /** Returns the findings of the proof of the books. */
  faults(): Promise<readonly Fault[]>;
  close(): Promise<void>;
}

/** Opens a database with the desk's money in it, and draws switched on. */
export async function openEarnWorld(): Promise<EarnWorld> {
  const { db, owner, url, ownerUrl, drop } = await testDb();
  const watch = await watchSettings(db);
  configureCompliance({ botKey: 'key', isLoopbackCounted: true });
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), partsOf('100000'))];
  await db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs, prices: { USDT: '1' } }]));
  const put = async (key: string, value: unknown): Promise<void> => {
    await db.tx((tx) => putSetting(tx, key, value, 'test'));
    await watch.refresh();
  };
  await put('earn.on', true);
  return {
    ...{ db, owner, url, ownerUrl, put },
    holdInPot: (usd) => holdInPot(db, partsOf(usd)),
    holder: (level) => holderOf(db, level),
    order: (holder, kind, of) => publishOrderEvents(db, holder, [kind], of),
    orders: (holder, id, kinds) => publishOrderEvents(db, holder, kinds, { id }),
    faults: async () => (await verify(db, { checks: [potCheck, earnCheck, couponCheck] })).faults,
    async close() {
      await watch.stop();
      await drop();
    },
  };
}

/** Puts so much into the pot, or takes it back, that it holds a sum. */
async function holdInPot(db: Db, wanted: bigint): Promise<void> {
  const change = wanted - (await balance(db, potAccount('earn')));
  if (change === 0n) return;
  await alone(db, async (unit) => {
    const parts = change < 0n ? -change : change;
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'earn', parts, isBack: change < 0n }));
  });
}

async function holderOf(db: Db, level?: 2): Promise<AccountHolder> {
  const [id, email] = [newId(), `${newId()}@example.org`];
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, email],
  );
  await writeHolderMacs(db);
  if (level) await db.tx((tx) => setLevel(tx, id, level, 'test'));
  return { id, email, isEmailVerified: true };
}
/** Lets the room handle the events of a holder's order. Returns its id. */
async function publishOrderEvents(db: Db, holder: AccountHolder, kinds: readonly string[], of: OrderOf = {}): Promise<string> {
  const { id = newId(), worth = '10', fee = '0.5', keys = [`holder:${holder.id}`], typed = [], sentBy = null } = of;
  const side = { currency: 'USDT_ERC20', unit: 'USDT', parts: partsOf(worth).toString() };
  const line = { code: 'fee', kind: 'fee', account: 'income:spread', payer: 'customer', parts: partsOf(fee).toString() } as const;
  const body: OrderPublished = {
    ...{ order: id, number: 'KX-0000-0000', version: 3, at: (await db.now()).toISOString(), sentBy, ended: null },
    price: {
      ...{
        isBooked: true,
        give: side,
        get: side,
        lines: [line],
        exchanged: '0',
        rate: { base: 'USDT', quote: 'USDT', numerator: '1', denominator: '1' },
        mid: null,
        retained: '0',
        provision: '0',
        margin: '0',
      },
      rewardMid: { base: 'USDT', quote: 'USDT', numerator: '1', denominator: '1' },
    },
    customer: { holder: holder.id, shown: [...keys], typed: [...typed] },
    ...{ paidBy: { way: 'chain', isReversible: false }, promisedSeconds: null, takenSeconds: 60 },
  };
  await db.tx((tx) =>
    earnSubscription.handle(
      tx,
      kinds.map((kind) => ({ id: newId(), kind, subject: `order:${id}`, body, at: tx.now, tries: 0 })),
    ),
  );
  return id;
}
