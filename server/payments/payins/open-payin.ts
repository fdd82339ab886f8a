import { money } from '@kurs/money';
import { type Statements, type Tx, wake } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import type { Owner } from '../rails/owner.ts';
import { type PayRequest, insertRequest } from './request-store.ts';
import { carrierOf, isOwnKey, payinOf } from '../rails/registry.ts';
import { isAsDerived, addressMac } from './row-macs.ts';
import { settings } from '../rails/settings.ts';
import { numbersPassedOver } from '../restored/restored-mode.ts';

export interface OpenPayin {
  readonly owner: Owner;
  readonly currency: string;
  /** Amount to be paid, in parts of the currency's unit. */
  readonly parts: bigint;
  /** Key of the paying customer. A customer's payments are added up while a reorg may still take them back. */
  readonly customerKey: string;
  /** Data for a provider that prepares the payment; ignored on chains. */
  readonly request?: PayRequest;
}

/** Address, network and link with which a customer pays. */
export interface PayInstruction {
  readonly currency: string;
  /** Name of the network, as people read it. */
  readonly network: string;
  readonly to: string;
  readonly memo?: string;
  /** Link that opens a wallet with the payment filled in. */
  readonly uri: string;
}

/** Number of addresses derived at once if none is free, so that orders placed at the same time don't wait for each other. */
const AHEAD = 16;

interface Taken {
  number: string;
  to_text: string;
  memo: string | null;
  to_key: string;
  mac: string | null;
}

/**
 * Hands out a receiving address. The address is polled for ever: every few seconds while its order is open, then ever less often
 * (by the hour, by the day for 90 days, by the week). Needs no network, since addresses are derived from a public key. Throws for
 * a currency that no rail carries. Throws for an address that fails its MAC: it was not derived from our keys, so nobody must pay
 * there.
 */
export async function openPayin(tx: Tx, input: OpenPayin): Promise<PayInstruction> {
  const [opened] = await openPayins(tx, [input]);
  if (!opened) throw new Error('an address was not handed out');
  return opened;
}

/** Hands out several receiving addresses, as `openPayin` does. */
export async function openPayins(tx: Tx, inputs: readonly OpenPayin[]): Promise<PayInstruction[]> {
  const carriers = inputs.map(({ currency }) => carrierOf(currency));
  const taken = await Promise.all(inputs.map((input, at) => takeFree(tx, carriers[at]!.rail.id, input)));
  // Locks rails' counters in the order of rails, as all callers do, so that no two calls wait for each other.
  const missing = [...inputs.keys()].filter((at) => !taken[at]);
  for (const at of missing.sort((one, other) => (carriers[one]!.rail.id < carriers[other]!.rail.id ? -1 : 1)))
    taken[at] = await deriveAndTake(tx, carriers[at]!.rail, inputs[at]!);
  return Promise.all(inputs.map((input, at) => instruct(tx, input, carriers[at]!, taken[at]!)));
}

/**
 * Returns the address, network and link with which a customer pays. If the provider must prepare the payment, requests that
 * preparation.
 */
async function instruct(
  tx: Tx,
  input: OpenPayin,
  { info, rail }: ReturnType<typeof carrierOf>,
  taken: Taken,
): Promise<PayInstruction> {
  const { to_text: to, memo } = taken;
  const derived = { rail: rail.id, number: Number.parseInt(taken.number, 10), currency: info.code, to, memo, key: taken.to_key };
  if (!isAsDerived(derived, taken.mac))
    throw new Error(`The receiving address ${taken.number} of ${rail.id} is not the one that was derived`);
  if (payinOf(rail).open && input.request) {
    await insertRequest(tx, rail.id, taken.number, input.parts, input.request);
    // The payer waits for the provider's answer, so the payments loops are woken. A chain's address can wait for their next turn.
    tx.afterCommit(() => wake('payments'));
  }
  return {
    currency: info.code,
    network: info.network,
    to,
    ...(memo !== null && { memo }),
    uri: payinOf(rail).uri(info.code, to, money(info.unit, input.parts)),
  };
}

async function takeFree(tx: Tx, rail: string, { owner, currency, parts, customerKey }: OpenPayin): Promise<Taken | undefined> {
  const closeMinutes = settings.get('payments.watch_closely_minutes');
  const liveDays = settings.get('payments.live_days');
  return tx.row<Taken>(
    `update receiving_address set owner_kind = $3, owner_id = $4, customer = $5, expected = $6, taken_at = $7, due_at = $7, weigh_at = $7, is_pressing = true,
       close_until = $7::timestamptz + $8 * interval '1 minute', live_until = $7::timestamptz + $9 * interval '1 day',
       from_height = coalesce((select greatest(0, height - 150) from rail_state where rail_state.rail = $1), 0)
     where rail = $1 and number = (
       select number from receiving_address where rail = $1 and currency = $2 and owner_id is null and mac is not null
       order by number limit 1 for update skip locked)
     returning number, to_text, memo, to_key, mac`,
    [rail, currency, owner.kind, owner.id, customerKey, parts, tx.now, closeMinutes, liveDays],
    { name: 'payments.take_place' },
  );
}

/**
 * Derives addresses if none is free, and takes one address. The first process to lock the counter derives the addresses. The
 * other processes then find some free.
 */
async function deriveAndTake(tx: Tx, rail: Rail, input: OpenPayin): Promise<Taken> {
  await ensureCounter(tx, rail);
  const counter = await tx.row<{ next_number: string }>(
    `select next_number from receiving_address_counter where rail = $1 for update`,
    [rail.id],
  );
  const found = await takeFree(tx, rail.id, input);
  if (found) return found;
  const first = Number.parseInt(counter?.next_number ?? '', 10);
  const numbers = Array.from({ length: AHEAD }, (_, at) => first + at);
  await insertAddresses(tx, rail, input.currency, numbers);
  await tx.run(`update receiving_address_counter set next_number = $2 where rail = $1`, [rail.id, first + AHEAD]);
  const taken = await takeFree(tx, rail.id, input);
  if (!taken) throw new Error(`No receiving address of ${rail.id} is free`);
  return taken;
}

/** Derives addresses and stores them as free. */
export async function insertAddresses(tx: Tx, rail: Rail, currency: string, numbers: readonly number[]): Promise<void> {
  const payin = payinOf(rail);
  const field = carrierOf(currency).info.fields[0]?.name ?? 'address';
  const addresses = numbers.map((number) => {
    const { to, memo } = payin.instruct(currency, number);
    const checked = payin.checkAccount(currency, { [field]: to });
    // Accounts without a key of their own, such as those of vouchers, use the address itself as key.
    return { number, to, memo: memo ?? null, key: checked.ok && checked.key !== '' ? checked.key : to };
  });
  await tx.run(
    `insert into receiving_address (rail, currency, number, to_text, memo, to_key, mac)
     select $1, $2, * from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::uuid[])`,
    [
      rail.id,
      currency,
      addresses.map(({ number }) => number),
      addresses.map(({ to }) => to),
      addresses.map(({ memo }) => memo),
      addresses.map(({ key }) => key),
      addresses.map((address) => addressMac({ rail: rail.id, currency, ...address })),
    ],
  );
}

/**
 * Creates a rail's counter if it has none. Number 0 becomes the desk's own address for capital, and is never handed out. After a
 * restore the counter skips 10 000 numbers per restore: the newer database may have handed them out.
 */
export async function ensureCounter(tx: Tx, rail: Rail): Promise<void> {
  const found = await tx.row('select from receiving_address_counter where rail = $1', [rail.id]);
  if (found) return;
  const first = 1 + (await numbersPassedOver(tx));
  const made = await tx.run('insert into receiving_address_counter (rail, next_number) values ($1, $2) on conflict do nothing', [
    rail.id,
    first,
  ]);
  if (made === 0) return;
  await insertAddresses(tx, rail, rail.currencies[0]?.code ?? '', [0]);
  await tx.run(
    `update receiving_address set owner_kind = 'desk', owner_id = 'capital', customer = 'desk', taken_at = $2, may_hold = true
     where rail = $1 and number = 0`,
    [rail.id, tx.now],
  );
}

/**
 * True if a key (from `checkAccount`) belongs to one of our own addresses on any rail. An order must not pay out to such an
 * address.
 */
export async function isOwnAddress(db: Statements, key: string): Promise<boolean> {
  if (key === '') return false;
  if (isOwnKey(key)) return true;
  // Not limited to a currency: one key is one account on every chain with the same form of addresses.
  const found = await db.row(`select from receiving_address where lower(to_key) = lower($1) limit 1`, [key], {
    name: 'payments.is_own',
  });
  return found !== undefined;
}

/** Polls every receiving address of an owner often until the given time. If that time has passed, the usual intervals apply. */
export async function watchClosely(tx: Tx, owner: Owner, until: Date): Promise<void> {
  await tx.run(
    `update receiving_address set close_until = $3,
       due_at = case when $3::timestamptz > $4 then least(due_at, $4::timestamptz) else due_at end,
       is_requested = is_requested or $3::timestamptz > $4
     where owner_id = $2 and owner_kind = $1`,
    [owner.kind, owner.id, until, tx.now],
    { name: 'payments.watch_closely' },
  );
  tx.afterCommit(() => wake('payments'));
}
