import { type Statements, type Tx, isMac, macOf, steady } from '../platform/index.ts';
import type { Reward, RewardState } from './reward.ts';

interface Row {
  readonly id: string;
  readonly order_id: string;
  readonly tier: 1 | 2;
  readonly holder_id: string;
  readonly state: RewardState;
  readonly parts: string;
  readonly given_up: string;
  readonly reason: string | null;
  readonly matures_at: Date;
  readonly made_at: Date;
  readonly mac: string | null;
}

const COLUMNS = 'id, order_id, tier, holder_id, state, parts, reason, matures_at, made_at, given_up, mac';

const rewardIn = (row: Row): Reward => ({
  ...{ id: row.id, orderId: row.order_id, tier: row.tier, holderId: row.holder_id, state: row.state },
  ...{
    parts: BigInt(row.parts),
    givenUp: BigInt(row.given_up),
    reason: row.reason ?? undefined,
    maturesAt: row.matures_at,
    madeAt: row.made_at,
  },
});

const contentOf = ({ id, orderId, tier, holderId, state, parts, givenUp, reason, maturesAt, madeAt }: Reward): string =>
  steady([id, orderId, tier, holderId, state, parts, givenUp, reason ?? '', maturesAt, madeAt]);
const rewardMac = (reward: Reward): string => macOf('reward', contentOf(reward));
const isAsMade = (row: Row): boolean => isMac('reward', contentOf(rewardIn(row)), row.mac);

/** Returns rewards with a valid MAC. Others get nothing and stay unchanged, and the proof accuses them. */
const believed = (rows: readonly Row[]): Reward[] => rows.filter(isAsMade).map(rewardIn);

/** Adds rewards. An order has one current reward of each level. */
export async function addRewards(tx: Tx, rewards: readonly Reward[]): Promise<void> {
  if (rewards.length === 0) return;
  await tx.run(
    `insert into reward (${COLUMNS}, state_at)
     select *, $12::timestamptz from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], $6::numeric[], $7::text[],
       $8::timestamptz[], $9::timestamptz[], $10::numeric[], $11::uuid[])`,
    [
      rewards.map(({ id }) => id),
      rewards.map(({ orderId }) => orderId),
      rewards.map(({ tier }) => tier),
      rewards.map(({ holderId }) => holderId),
      rewards.map(({ state }) => state),
      rewards.map(({ parts }) => parts),
      rewards.map(({ reason }) => reason ?? null),
      rewards.map(({ maturesAt }) => maturesAt),
      rewards.map(({ madeAt }) => madeAt),
      rewards.map(({ givenUp }) => givenUp),
      rewards.map(rewardMac),
      tx.now,
    ],
    { name: 'affiliates.add' },
  );
}

/** Writes the states of rewards, and their given-up amounts. */
export async function saveStates(tx: Tx, rewards: readonly Reward[]): Promise<void> {
  if (rewards.length === 0) return;
  await tx.run(
    `update reward set state = r.state, given_up = r.given_up, mac = r.mac, state_at = $3
     from unnest($1::uuid[], $2::text[], $4::uuid[], $5::numeric[]) as r (id, state, mac, given_up) where reward.id = r.id`,
    [
      rewards.map(({ id }) => id),
      rewards.map(({ state }) => state),
      tx.now,
      rewards.map(rewardMac),
      rewards.map(({ givenUp }) => givenUp),
    ],
    { name: 'affiliates.save' },
  );
}

/** Returns the rewards of orders, locked; their holders are locked before. */
export async function lockOfOrders(tx: Tx, orders: readonly string[]): Promise<Reward[]> {
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from reward where order_id = any ($1) order by made_at, id for update`,
    [orders],
    {
      name: 'affiliates.of_orders',
    },
  );
  return believed(rows);
}

/** Returns rewards that wait for the pot, the oldest first. */
export async function waitingRewards(tx: Statements, max: number): Promise<Reward[]> {
  const rows = await tx.rows<Row>(`select ${COLUMNS} from reward where state = 'waiting' order by made_at, id limit $1`, [max], {
    name: 'affiliates.waiting',
  });
  return believed(rows);
}

/** Returns the number of rewards that wait for the pot, and of cases that wait for people. */
export async function waitingCounts(db: Statements): Promise<{ readonly waiting: number; readonly cases: number }> {
  const row = await db.row<{ waiting: number; cases: number }>(
    `select (select count(*)::int from reward where state = 'waiting') as waiting,
       (select count(*)::int from reward where state = 'case') as cases`,
  );
  return row ?? { waiting: 0, cases: 0 };
}

/** Returns the holders of pending rewards whose waiting days are over, some hundreds of rewards at a time. */
export async function ripe(db: Statements): Promise<Reward[]> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from reward where state = 'pending' and matures_at <= clock_now() order by matures_at, id limit 200`,
    [],
    { name: 'affiliates.ripe' },
  );
  return believed(rows);
}

/** Returns rewards by their ids, locked; their holders are locked before. */
export async function lockRewards(tx: Tx, ids: readonly string[]): Promise<Reward[]> {
  const rows = await tx.rows<Row>(`select ${COLUMNS} from reward where id = any ($1) order by made_at, id for update`, [ids], {
    name: 'affiliates.lock',
  });
  return believed(rows);
}

/** Returns a holder's open and matured rewards, locked. */
export async function lockLiveRewards(tx: Tx, holderId: string): Promise<Reward[]> {
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from reward where holder_id = $1 and state in ('waiting', 'case', 'pending', 'available')
     order by made_at, id for update`,
    [holderId],
  );
  return believed(rows);
}

/** Returns a reward by its id, without a lock. */
export async function findReward(db: Statements, id: string): Promise<Reward | undefined> {
  const row = await db.row<Row>(`select ${COLUMNS} from reward where id = $1`, [id]);
  return row && rewardIn(row);
}

/** Returns rewards whose rows SQL changed: among open ones and those of `among`, or among all if none are named. */
export async function alteredRewards(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from reward where $1::uuid[] is null or id = any ($1) or state in ('waiting', 'case', 'pending') order by id`,
    [among ?? null],
  );
  return rows.filter((row) => !isAsMade(row)).map(({ id }) => id);
}
