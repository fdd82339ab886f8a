// The simulation: the dice choose the order of everybody's steps, the auditor checks after each, and everything comes to rest at
// the end.

import { Fault } from './audit/invariants.ts';
import { type Step, cancel, choose, pay, place } from './players/customers.ts';
import { action, allOn, decideDoubts, flip } from './players/desk.ts';
import type { Ground } from './ground.ts';
import * as allowLists from './players/allow-lists.ts';
import * as holders from './players/holders.ts';
import * as outside from './players/outside-events.ts';
import { Players } from './players/players.ts';
import { Shops } from './players/shops.ts';
import { StoreOwner } from './players/store-owner.ts';
import { fillPot } from './audit/senders.ts';
import type { Tally } from './tally.ts';
import * as walletDesk from './players/wallet-desk.ts';
import { type Mood, type Sabotage, World } from './world.ts';

const worker =
  (what: string, ...loops: readonly string[]): Step =>
  async (world) => {
    const lived = await world.live(what, (process) => process.run(...loops));
    return `worker: ${what}${lived ? '' : ', and dies of it'}`;
  };

/** The loops of a payment, from its observation to the payout's finality. */
const WORK = [
  'payments:callbacks',
  'payments:watch',
  'screening',
  'events',
  'due',
  'payments:pay',
  'events',
  'payments:follow',
  'events',
];

/** One of two workers falls asleep in the middle of it. */
const drowse: Step = async (world) => {
  if (world.isAnyoneAsleep) return undefined;
  const slept = await world.drowse((process) => process.run(...WORK));
  if (slept) world.tally.fault('a worker falls asleep');
  return slept ? 'a worker falls asleep' : 'a worker works, and stays awake';
};

const wake: Step = async (world) => ((await world.wake()) ? 'the worker wakes up' : undefined);

type Weighed = readonly (readonly [weight: number, name: string, step: Step])[];

/** Actors that may come next, with their weights. */
const stepsIn = ({ time, chains, desk, holders: by }: Mood): Weighed => [
  [by > 0 ? 3 : 7, 'place', place],
  [by > 0 ? 2 : 4, 'pay', pay],
  [0.5, 'cancel', cancel],
  [8, 'choose', choose],
  [4 * desk, 'action', action],
  [0.3 * desk, 'switch', flip],
  [8, 'blocks', outside.mine],
  [0.5 * chains, 'reorg', outside.reorg],
  [1.5 * chains, 'reversal', outside.reverse],
  [3 * chains, 'telling reversal', outside.reverseReport],
  [chains, 'part taken', outside.takeInPart],
  [3 * chains, 'restore', outside.restore],
  [0.8 * chains, 'vanish', outside.vanish],
  [1.5 * chains, 'bounce', outside.bounce],
  [6 * chains, 'telling bounce', outside.bounceReport],
  [0.2 * chains, 'lag', outside.lag],
  [1.5 * chains, 'explorer', outside.explore],
  [0.7, 'deliver', outside.deliver],
  [8, 'worker', worker('working', ...WORK)],
  [7, 'worker sees', worker('watching', 'payments:callbacks', 'payments:watch', 'screening', 'events')],
  [8, 'worker sends', worker('sending', 'payments:pay', 'events')],
  [8, 'worker follows', worker('following', 'payments:follow', 'events', 'payments:post')],
  [4, 'worker keeps time', worker('keeping time', 'due', 'events')],
  [
    3,
    'worker tends',
    worker('tending', 'payments:float', 'payments:bump', 'payments:sweep', 'payments:post', 'payments:reconcile'),
  ],
  [7, 'moment', outside.moment],
  [2.5, 'minutes', outside.minutes],
  [0.5 * time, 'hour', outside.anHour],
  [4, 'doubt', outside.doubtLasts],
  [0.2 * time, 'day', outside.aDay],
  [1.4 * time, 'silence', outside.silence],
  [1.5 * time, 'deadline', outside.deadline],
  [40 * by, 'join', allowLists.joinCarefully],
  [8 * by, 'deposit', holders.deposit],
  [16 * by, 'withdraw', holders.withdraw],
  [3 * by, 'call off', holders.callOff],
  [3 * by, 'transfer', holders.transfer],
  [6 * by, 'order by wallet', holders.orderByWallet],
  [3 * by, 'write down', allowLists.writeDown],
  [by, 'strike out', allowLists.strikeOut],
  [3 * by, 'allow-list', allowLists.switchList],
  [6 * by, 'decide', walletDesk.decide],
  [by, 'decide wrongly', walletDesk.decideWrongly],
  [3 * by, 'decide sends', walletDesk.decideSends],
  [5 * by, 'decide a deposit', walletDesk.decideADeposit],
  [by, 'freeze', walletDesk.freeze],
  [by, 'move a bound', walletDesk.moveBound],
  [3 * by, 'drowse', drowse],
  [2 * by, 'wake', wake],
  [2 * by * chains, 'deposit reversed', outside.reverseDeposit],
];

export interface Run {
  readonly ground: Ground;
  readonly tally: Tally;
  readonly steps: number;
  readonly sabotage?: Sabotage;
}

/** Runs one seed until it is at rest. Throws a Fault with the seed, the story's last lines and the command to repeat it. */
export async function simulate(seed: number, { ground, tally, steps, sabotage }: Run): Promise<World> {
  const world = new World(seed, ground, tally, sabotage);
  try {
    await world.begin();
    const players = new Players(world);
    const [shops, owner] = [new Shops(world), new StoreOwner(world)];
    const choices = stepsIn(world.mood).map(([weight, name, step]) => [weight, { name, step }] as const);
    for (let taken = 0; taken < steps;) {
      const { name, step } = world.dice.weighed(choices);
      const what = await step(world);
      if (what === undefined) continue;
      taken += 1;
      world.story.push(`${taken} ${what}`);
      tally.step(name);
      const moved = await players.move();
      if (moved !== undefined) world.story.push(`  meanwhile ${moved}`);
      await world.poll();
      for (const player of world.hasShops ? [shops, owner] : []) {
        const done = await player.move();
        if (done === undefined) continue;
        world.story.push(`  meanwhile ${done}`);
        await world.poll();
      }
      ground.mustBeQuiet();
    }
    await world.wake();
    await players.rest();
    await settle(world);
    await tally.readTimelines(ground.db);
    tally.seeds += 1;
    return world;
  } catch (error) {
    const reported = error instanceof Fault ? error.message : ((error as Error).stack ?? String(error));
    const kinds = Object.values(world.chains).map(({ rail }) => rail.id);
    const lines = world.story.slice(-Number(process.env['SIM_LINES'] ?? 25)).join('\n  ');
    throw new Fault(
      `${reported}\n\nseed ${seed} (${world.mood.name}, ${kinds.join(', ')}):\n  ${lines}\nagain: SIM_SEED=${seed} node tools/test.ts ${steps > 100 ? 'long-seeds-1 --full' : 'seeds.wide'}`,
      { cause: error },
    );
  }
}

/** The same once each: what it leaves is done in the next round. */
const ROUND = ['payments:callbacks', 'payments:watch', 'screening', 'events', 'due', 'payments:pay', 'payments:follow', 'events'];

const MINUTE = 60_000;
const HOUR = 60;
/** Minutes between the last rounds: first the weather stays as it is, then it calms down. */
const STORMY = [35, 25 * HOUR, 73 * HOUR];
/** Longer together than every window, so that everything that ends automatically has ended. */
const CALM = [35, 73 * HOUR, 1, 35, 73 * HOUR, 1, 35, 73 * HOUR, 1, 73 * HOUR, 1, 1, 1];
const REST = [73 * HOUR, 1];
/** Blocks that come meanwhile: more than the deepest that is asked for. */
const BLOCKS = 70;

/** Only our workers go on, with time, until everything rests. */
async function settle(world: World): Promise<void> {
  await world.wake();
  await allOn(world);
  await walletDesk.decideAll(world);
  if (world.hasSenders) await fillPot(world.ground.db);
  for (const minutes of STORMY) {
    if ((await world.auditor.whatMoves()) === undefined) break;
    await round(world, minutes, 2);
  }
  world.calm();
  for (const chain of Object.values(world.chains)) await chain.deliver();
  // Rest lasts: days later nothing has changed, and swept money has arrived. Only a payment to a rarely polled address may still
  // appear, once.
  for (let tries = 0; tries < 2; tries += 1) {
    for (const minutes of CALM) {
      await round(world, minutes, BLOCKS);
      await decideDoubts(world);
      if ((await world.auditor.whatMoves()) === undefined) break;
    }
    for (const minutes of REST) await round(world, minutes, BLOCKS);
    if ((await world.auditor.whatMoves()) === undefined) break;
    await walletDesk.decideAll(world);
  }
  await world.live('reconciling', (process) => process.run('payments:float', 'payments:reconcile'));
  await world.auditor.settled();
}

async function round(world: World, minutes: number, blocks: number): Promise<void> {
  await world.pass(minutes * MINUTE);
  for (const chain of Object.values(world.chains)) chain.mine(blocks);
  const seldom = minutes > 1 ? ['payments:float', 'payments:sweep'] : [];
  await world.live('coming to rest', (process) => process.run(...ROUND, ...seldom, 'payments:post'));
  world.story.push(`${minutes} minutes later`);
  await world.poll();
  world.ground.mustBeQuiet();
}
