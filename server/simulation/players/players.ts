// Actions of players in a seed's world: they begin and claim draws, let draws lapse, do tasks and use their winnings. They have
// their own dice, so that they shift nobody else's story.

import { createHash } from 'node:crypto';
import { Problem } from '@kurs/contract';
import type { Context } from '../../platform/index.ts';
import { refusable } from './customers.ts';
import { type Dice, openDice } from '../dice.ts';
import { Fault } from '../audit/invariants.ts';
import type { Player } from '../audit/prize-audit.ts';
import { PLAYERS } from './prizes.ts';
import type { Process, World } from '../world.ts';

const hourOf = (ms: number): number => Math.floor(ms / 3_600_000);

interface Turn {
  readonly process: Process;
  readonly player: Player;
  readonly context: Context;
}

/** Players of draws, in one seed. */
export class Players {
  readonly #world: World;
  readonly #dice: Dice;
  /** Draws in the answers to their beginners, the newest last. */
  readonly #begun: { readonly id: string; readonly commit: string; readonly player: Player }[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#dice = openDice(world.seed ^ 0x5eed);
  }

  /** Perhaps one of them acts, or the room's own loops run. Returns what happened, or undefined. */
  async move(): Promise<string | undefined> {
    const [dice, world] = [this.#dice, this.#world];
    if (!dice.chance(0.3)) return undefined;
    const [name, move] = dice.weighed([
      [6, ['begins a draw', this.#begin]],
      [5, ['claims a draw', this.#claim]],
      [1, ['asks for a task', this.#task]],
      [1, ['makes credit', this.#toCredit]],
      [1, ['pays out a prize', this.#toWallet]],
      [2, ['waits for the hour', this.#tend]],
    ] as const);
    const player = dice.pick(PLAYERS);
    const awaits = dice.chance(world.mood.deaths) ? dice.int(0, 12) : Infinity;
    return refusable(`${player.email} ${name}`, async () => {
      const lived = await world.live(
        'drawing',
        (process) => this.#count(name, move, { process, player, ...this.#as(process, player) }),
        awaits,
      );
      return lived ? '' : ', and we die of it';
    });
  }

  /** Runs the room's own loops once more, before everything comes to rest. */
  async rest(): Promise<void> {
    this.#world.hoursOfPrizes.add(hourOf(this.#world.now));
    await this.#world.live('drawing', (process) => process.run('prizes'), Infinity);
  }

  async #count(name: string, move: (turn: Turn) => Promise<void>, turn: Turn): Promise<void> {
    try {
      await move(turn);
      this.#world.tally.fault(name);
    } catch (error) {
      if (error instanceof Problem) this.#world.tally.fault(`${name}: ${error.code}`);
      throw error;
    }
  }

  /** Calls of a player's browser. */
  #as({ db }: Process, { id, email, isVerified, device }: Player): { context: Context } {
    const user = { id, email, isEmailVerified: isVerified, sessionId: `session of ${id}` };
    return { context: { ...this.#world.visitor(db, device), user } };
  }

  readonly #begin = async ({ process, player, context }: Turn): Promise<void> => {
    const { id, commit } = await process.calls.earnBegin({ bot_token: 'simulation' }, context);
    this.#begun.push({ id, commit, player });
  };

  /** Claims one of the last draws by its holder, perhaps again: its seed must match the commitment. */
  readonly #claim = async ({ process }: Turn): Promise<void> => {
    if (this.#begun.length === 0) return;
    const { id, commit, player } = this.#dice.pick(this.#begun.slice(-4));
    const request = { id, client_seed: `text ${this.#dice.int(1, 2)}` };
    const { seed } = await process.calls.earnClaim(request, this.#as(process, player).context);
    if (createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex') !== commit)
      throw new Fault(`the draw ${id} shows another seed than it was begun with`);
  };

  readonly #task = async ({ process, context }: Turn): Promise<void> => {
    const task = this.#dice.pick(['email', 'email', 'streak', 'streak', 'first_order', 'two_factor'] as const);
    await process.calls.earnTask({ task }, context);
  };

  readonly #toCredit = async ({ process, context }: Turn): Promise<void> => {
    await process.calls.earnToCredit({ amount: this.#some() }, context);
  };

  readonly #toWallet = async ({ process, context }: Turn): Promise<void> => {
    await process.calls.earnToWallet({ amount: this.#some() }, context);
  };

  #some(): string {
    return `0.0${this.#dice.int(1, 6)}`;
  }

  /** Ends draws, fills the pot, and lets wallets handle their payments. */
  readonly #tend = async ({ process }: Turn): Promise<void> => {
    this.#world.hoursOfPrizes.add(hourOf(this.#world.now));
    await process.run('prizes');
  };
}
