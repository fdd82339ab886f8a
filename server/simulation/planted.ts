// Planted bugs: each replaces a sound part by a broken one, to check that the auditor finds it.

import { KINDS } from '../ledger/index.ts';
import { PAYIN_EVENT, type PayinBody, type PayinEvent } from '../payments/index.ts';
import { type Db, type Statements, type StoredEvent, type Tx, newId } from '../platform/index.ts';
import type { Fate, Missing, Rail, Sent, ObservedPayment } from '../rails/rail.ts';
import type { Sabotage } from './world.ts';

/**
 * Signs and sends in one step, and records it only then. A process that dies in between has sent something unknown.
 */
export function sendsFirst(): Sabotage {
  return {
    rail: (rail) => {
      const { payout } = rail;
      if (!payout) return rail;
      const answers = new Map<string, Sent>();
      return {
        ...rail,
        payout: {
          ...payout,
          async prepare(items, state) {
            const made = await payout.prepare(items, state);
            if (made.ok) answers.set(made.attempt.reference, await payout.send(made.attempt));
            return made;
          },
          async send(attempt) {
            const said = answers.get(attempt.reference);
            answers.delete(attempt.reference);
            return said ?? payout.send(attempt);
          },
        },
      };
    },
  };
}

/**
 * Reports that a signed send was recorded, and loses it: as a commit that never reached the disk. The sender is also told that
 * the record exists: otherwise the check right before a send would miss it.
 */
export function losesSends(): Sabotage {
  return {
    db: (db) => ({
      ...db,
      async rows<T>(sql: string, values?: readonly unknown[], named?: { readonly name: string }): Promise<T[]> {
        const rows = await db.rows<T>(sql, values, named);
        if (named?.name !== 'payments.claim_sends') return rows;
        const [ids] = values as [string[]];
        return ids.map((id) => ({ id }) as T);
      },
      async tx(work, options) {
        let stored: { result: Awaited<ReturnType<typeof work>> } | undefined;
        const lost = new Error('never written');
        try {
          return await db.tx(async (tx) => {
            let isSend = false;
            const run: Tx['run'] = (sql, values, named) => {
              isSend ||= named?.name === 'payments.begin_sending';
              return tx.run(sql, values, named);
            };
            const result = await work({ ...tx, run });
            if (!isSend) return result;
            stored = { result };
            throw lost;
          }, options);
        } catch (error) {
          if (error === lost && stored) return stored.result;
          throw error;
        }
      },
    }),
  };
}

/** A reward is given as soon as an order is exchanged. */
export const rewardsEarly = (): Sabotage =>
  publishRewards((events) =>
    events.flatMap((one) =>
      one.kind === 'order.exchanged' ? [{ ...one, kind: 'order.completed' }] : one.kind === 'order.completed' ? [] : [one],
    ),
  );

/** An order that was taken back is not published: its rewards stay. */
export const forgetsClawBacks = (): Sabotage =>
  publishRewards((events) => events.filter(({ kind }) => kind !== 'order.reversed' && kind !== 'order.ended'));

/** The friend’s discount is not taken out of the affiliate’s share: the desk pays both. */
export const paysFriendsItself = (): Sabotage =>
  publishRewards((events) => events.map((one) => ({ ...one, body: withoutFriend(one.body) })));

/** The room of affiliates handles wrong events of orders. */
const publishRewards = (changed: (events: readonly StoredEvent[]) => StoredEvent[]): Sabotage => ({
  rewards: (sound) => ({ ...sound, handle: (tx, events) => sound.handle(tx, changed(events)) }),
});

function withoutFriend(body: unknown): unknown {
  const { price, ...rest } = body as { price: { lines: { code: string }[] } };
  return { ...rest, price: { ...price, lines: price.lines.filter(({ code }) => code !== 'friend') } };
}

/** Each journal is posted twice, the second time under an id of its own. */
export function postsTwice(): Sabotage {
  return posting(async ([ids = '', ...rest], post) => {
    const said = await post([ids, ...rest]);
    await post([ids.replaceAll(/[^{},]+/g, () => newId()), ...rest]);
    return said;
  });
}

/** A final payment is published with less than its amount. */
export function reportsLess(): Sabotage {
  const halved = (body: PayinBody): PayinBody => ({ ...body, parts: `${BigInt(body.parts) / 2n}` });
  return {
    subscription: (sound) => ({
      ...sound,
      handle: (tx, events) =>
        sound.handle(
          tx,
          events.map((reported) =>
            isOfPayin(reported, 'final') ? { ...reported, body: halved(reported.body as PayinBody) } : reported,
          ),
        ),
    }),
  };
}

/** A payment counts as final as soon as it is seen. */
export function creditsAtSight(): Sabotage {
  const maxAtOnce = (observedPayment: ObservedPayment): ObservedPayment => {
    const { status } = observedPayment;
    const block = status.at === 'block' ? status : { height: 1, hash: 'seen', minedAt: new Date(0), confirmations: 1 };
    return { ...observedPayment, status: { ...block, at: 'block', isFinalised: true } };
  };
  return {
    rail: (rail): Rail => {
      const { payin } = rail;
      if (!payin) return rail;
      return { ...rail, payin: { ...payin, observe: async (...call) => (await payin.observe(...call)).map(maxAtOnce) } };
    },
  };
}

/** A use of a coupon that is given back counts as given back twice. */
export function givesUsesBackTwice(): Sabotage {
  let isBack = false;
  return stating((inner) => ({
    ...inner,
    run(...[sql, values = [], named]: Parameters<Statements['run']>) {
      if (named?.name === 'coupons.save_uses') isBack = (values[1] as string[]).includes('free');
      if (named?.name !== 'coupons.save' || !isBack) return inner.run(sql, values, named);
      isBack = false;
      const [ids, states, taken, ...rest] = values as [unknown, unknown, number[]];
      return inner.run(sql, [ids, states, taken.map((times) => Math.max(0, times - 1)), ...rest], named);
    },
  }));
}

/** A prize is put into its holder's account twice. */
export function winsTwice(): Sabotage {
  return posting(async ([ids = '', kinds = '', ...rest], post) => {
    const said = await post([ids, kinds, ...rest]);
    if (kinds === `{${KINDS.earn}}`) await post([`{${newId()}}`, kinds, ...rest]);
    return said;
  });
}

/** The sums of a day's prizes and draws are not stored. */
export function forgetsDaysOfPrizes(): Sabotage {
  return stating((inner) => ({
    ...inner,
    async row<R>(...[sql, values, named]: Parameters<Statements['row']>) {
      const row = await inner.row<R>(sql, values, named);
      return named?.name === 'earn.day' ? undefined : row;
    },
  }));
}

/** The possible prizes of open draws are not set aside. */
export function promisesTwice(): Sabotage {
  return stating((inner) => ({
    ...inner,
    async row<R>(...[sql, values, named]: Parameters<Statements['row']>) {
      const row = await inner.row<R>(sql, values, named);
      return named?.name === 'earn.set_aside' ? ({ parts: '0' } as R) : row;
    },
  }));
}

/** The promise of an order is not reserved. */
export function forgetsReserve(): Sabotage {
  return posting((given, post) =>
    given[1] === `{${KINDS.reserve}}` ? Promise.resolve({ statuses: [0], refused_legs: [0] }) : post(given),
  );
}

/** A payment passes whatever screening answers. */
export function forgetsScreening(): Sabotage {
  return stating((inner) => ({
    ...inner,
    async rows<R>(...[sql, values, named]: Parameters<Statements['rows']>) {
      const rows = await inner.rows<R>(sql, values, named);
      return named?.name === 'compliance.payment_verdicts' ? rows.map((row) => ({ ...row, verdict: 'clean' })) : rows;
    },
  }));
}

/** A reversed payment is read and ignored; its promise is paid. */
export function paysReversed(): Sabotage {
  return {
    subscription: (sound) => ({
      ...sound,
      handle: (tx, events) =>
        sound.handle(
          tx,
          events.filter((reported) => !isOfPayin(reported, 'reversed')),
        ),
    }),
  };
}

/** The check of the allow-list is left out. */
export function forgetsAllowLists(): Sabotage {
  return stating((inner) => ({
    ...inner,
    async rows<R>(...[sql, values, named]: Parameters<Statements['rows']>) {
      const rows = await inner.rows<R>(sql, values, named);
      return named?.name === 'moneyout.lists' ? [] : rows;
    },
  }));
}

/** A payment that isn't found counts as proof that its block is gone. */
export function believesAbsence(): Sabotage {
  return {
    rail: (rail): Rail => {
      const { payin } = rail;
      const { seek } = payin ?? {};
      if (!payin || !seek) return rail;
      const gone = ({ block }: Missing, fate: Fate): Fate =>
        fate.is === 'unknown' && block
          ? { is: 'gone', by: { kind: 'block', height: block.height, hash: 'another', tip: Infinity } }
          : fate;
      const seekAll: typeof seek = async (requests) =>
        (await seek(requests)).map((fate, at) => gone(requests[at] as Missing, fate));
      return { ...rail, payin: { ...payin, seek: seekAll } };
    },
  };
}

const isOfPayin = ({ kind, body }: StoredEvent, event: PayinEvent): boolean =>
  kind === PAYIN_EVENT && (body as PayinBody).event === event;

/** A database with replaced statements, inside of transactions and outside. */
function stating(change: <S extends Statements>(inner: S) => S): Sabotage {
  return { db: (db): Db => ({ ...change(db), tx: (work, options) => db.tx((tx) => work(change(tx)), options) }) };
}

/** The arguments of the ledger's one statement: ids and kinds of its journals first, as PostgreSQL's arrays in text. */
type Posting = readonly string[];

/** A database in which the ledger's one statement does something else. */
function posting(instead: (given: Posting, post: (given: Posting) => Promise<unknown>) => Promise<unknown>): Sabotage {
  const changed = <S extends Statements>(inner: S): S => ({
    ...inner,
    row: async <R>(...[sql, values, named]: Parameters<Statements['row']>) => {
      if (named?.name !== 'ledger.post') return inner.row<R>(sql, values, named);
      return (await instead(values as Posting, (given) => inner.row(sql, given, named))) as R;
    },
  });
  const db = (sound: Db): Db => ({
    ...changed(sound),
    tx: (work, options) => sound.tx((tx) => work({ ...changed(tx), last: lastOf(tx) }), options),
  });
  // As `row`, without the condition that rolls the whole transaction back: it is committed as any other.
  const lastOf =
    (tx: Tx): Tx['last'] =>
    async <R>(...[sql, values, named]: Parameters<Tx['last']>) => {
      if (named.name !== 'ledger.post_all') return tx.last<R>(sql, values, named);
      const [plain = ''] = sql.split(' where ');
      return (await instead(values, (given) => tx.row(plain, given))) as R;
    };
  return { db };
}
