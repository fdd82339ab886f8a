// Actions of account holders on the destinations of their money: they add addresses and persons, remove them, and switch the
// allow-list on and off.

import { type Step, refusable } from './customers.ts';
import { UNIT_OF, asHolder, codeFor, join } from './holders.ts';
import type { Holder, Process, World } from '../world.ts';

type Currency = keyof typeof UNIT_OF;
/** A holder's action by the calls of one of our processes. */
type Action = (calls: Process['calls'], context: ReturnType<typeof asHolder>) => Promise<unknown>;

const withHolder =
  (action: (world: World, holder: Holder) => Promise<string | undefined>): Step =>
  async (world) =>
    world.holders.length === 0 ? undefined : action(world, world.dice.pick(world.holders));

/** Runs an action on the book in a process that may die during it. Returns in words whether it lived. */
async function byBook(world: World, holder: Holder, action: Action): Promise<string> {
  const lived = await world.live('an address book', async (process) => {
    await action(process.calls, asHolder(world, process, holder));
  });
  return lived ? '' : 'and never hears of it';
}

/** Adds an address, a new one or one that they added before. */
const addressOf =
  (world: World, holder: Holder, currency: Currency): Action =>
  async (calls, context) => {
    const again = holder.book.filter((one) => one.currency === currency && world.dice.chance(0.3));
    const { address } = again[0] ?? (world.chainOf(currency).memory.receiver() as { address: string });
    holder.book.push({ currency, address });
    const request = { currency: UNIT_OF[currency], rail: world.chainOf(currency).rail.id, to: { address } };
    const { confirmation } = await calls.walletConfirmation({ action: 'address', ...request }, context);
    await calls.walletAddressStore({ ...request, label: address, otp: await codeFor(world, holder, confirmation) }, context);
  };

const personOf =
  (world: World, holder: Holder, { email }: Holder): Action =>
  async (calls, context) => {
    const { confirmation } = await calls.walletConfirmation({ action: 'person', email }, context);
    await calls.walletPersonStore({ email, label: email, otp: await codeFor(world, holder, confirmation) }, context);
  };

const listOf =
  (world: World, holder: Holder, isOn: boolean): Action =>
  async (calls, context) => {
    const { confirmation } = await calls.walletConfirmation({ action: 'allow_list' }, context);
    const code = isOn ? {} : { otp: await codeFor(world, holder, confirmation) };
    await calls.walletAllowList({ on: isOn, ...code }, context);
    world.tally.fault(`an allow-list goes ${isOn ? 'on' : 'off'}`);
  };

/** Adds an address, or another holder: money can go there a day later. */
export const writeDown = withHolder(async (world, holder) => {
  const { dice, holders } = world;
  const others = holders.filter((each) => each !== holder);
  const person = others.length > 0 && dice.chance(0.25) ? dice.pick(others) : undefined;
  const currency = dice.pick<Currency>(['BTC', 'USDT_ERC20', 'LTC']);
  return refusable(`${holder.email} writes ${person?.email ?? currency} down`, () =>
    byBook(world, holder, person ? personOf(world, holder, person) : addressOf(world, holder, currency)),
  );
});

/** Opens an account; a careful holder sets up an allow-list at once. */
export const joinCarefully: Step = async (world) => {
  const reported = await join(world);
  const holder = world.holders.at(-1);
  if (reported === undefined || !holder || world.dice.chance(0.3)) return reported;
  return refusable(`${reported}, careful`, () =>
    byBook(world, holder, async (...as) => {
      for (const currency of ['BTC', 'USDT_ERC20'] as const) await addressOf(world, holder, currency)(...as);
      if (world.dice.chance(0.6)) await listOf(world, holder, true)(...as);
    }),
  );
};

/** Removes an entry of the book. Money that has not left for it yet may no longer leave. */
export const strikeOut = withHolder(async (world, holder) => {
  let gone: string | undefined;
  await byBook(world, holder, async (calls, context) => {
    const { addresses } = await calls.walletAddresses({}, context);
    if (addresses.length === 0) return;
    const { id, label } = world.dice.pick(addresses);
    await calls.walletAddressRemove({ id }, context);
    gone = label;
  });
  if (gone === undefined) return undefined;
  world.tally.fault('an address is struck out');
  return `${holder.email} strikes ${gone} out`;
});

/** Switches the allow-list on at once, or off a day later. */
export const switchList = withHolder(async (world, holder) => {
  const on = world.dice.chance(0.5);
  return refusable(`${holder.email} switches the allow-list ${on ? 'on' : 'off'}`, () =>
    byBook(world, holder, listOf(world, holder, on)),
  );
});
