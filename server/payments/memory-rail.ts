import { format } from '@kurs/money';
import type {
  AccountCheck,
  Attempt,
  Fate,
  Fields,
  Found,
  Missing,
  Payin,
  Payout,
  PayoutItem,
  Prepared,
  Rail,
  RailBalance,
  RailCurrency,
  Sent,
  ObservedPayment,
  Sweep,
  WalletState,
  ReceivingAddress,
} from '../rails/rail.ts';
import { type MemoryProvider, voucherOf, proofOf, providerPayin, recall } from './memory-provider.ts';
import { ownSendsOf } from './memory-sends.ts';
import { type Call, type Fault, type MemoryTx, MemoryWorld, hashOf, slotOf } from './memory-world.ts';

export interface MemoryOptions {
  readonly id?: string;
  /** Currencies of the rail. Simulated payments are in the first one unless they name another. */
  readonly currencies?: readonly {
    readonly code: string;
    readonly unit: string;
    readonly payDigits?: number;
    readonly dust?: bigint;
  }[];
  /** Largest number of payouts in one attempt. */
  readonly batch?: number;
  /** Fee of a send, in parts of the fee's currency. */
  readonly fee?: bigint;
  /**
   * If set, the rail is an account chain that pays fees in this coin. A send's fee is known only when the send is mined, and
   * deposits are swept. If this coin is also a currency of the rail, hot wallet and gas lie at one address, and
   * `WalletState.fuel` separates them.
   */
  readonly fuel?: string;
  /**
   * If set, the rail is a provider instead of a chain. If a send is repeated, the provider pays again, unless it recognises the
   * reference.
   */
  readonly provider?: MemoryProvider;
  /**
   * If set, the rail lists the sends from our account, so that they can be compared with the books. It also names the transaction
   * that rules a send out.
   */
  readonly hasSendList?: true;
  readonly now?: () => Date;
}

/** An in-memory rail, and the simulated chain or provider behind it. */
export interface MemoryRail {
  readonly rail: Rail & { readonly payin: Payin; readonly payout: Payout };
  readonly world: MemoryWorld;
  /** Returns a new account that is not ours. */
  receiver(): Fields;
}

/**
 * Opens a rail without a network, for tests, the simulation and the bench. Its `world` simulates payments, blocks and faults.
 * Like every rail, it stores no state of the payments room: callers pass this state in.
 */
export function openMemoryRail(options: MemoryOptions = {}): MemoryRail {
  const { id = 'memory', fuel, currencies = [{ code: 'BTC', unit: 'BTC' }] } = options;
  const world = new MemoryWorld(currencies[0]?.code ?? 'BTC', options.now);
  world.arrivesAt = fuel ? 'deposit' : 'hot';
  world.feePlace = (currency) => (currency === fuel ? 'fuel' : 'hot');
  const described = currencies.map((currency): RailCurrency => describe(id, currency, fuel));
  const terms: Terms = { ...options, id, world, currencies: described };
  let receivers = 0;
  const rail = {
    id,
    kind: options.provider ? ('provider' as const) : ('chain' as const),
    currencies: described,
    payin: memoryPayin(terms),
    payout: memoryPayout(terms),
    ...(fuel && { sweep: memorySweep(terms, fuel) }),
    reserve: (state?: WalletState) => faulty(world, 'reserve', async () => reserveOf(terms, state?.fuel)),
    health: () => faulty(world, 'health', async () => ({ ...world.health, height: world.height })),
    close: async () => {},
  };
  return { rail, world, receiver: () => ({ address: addressOf(`receiver:${id}:${receivers++}`) }) };
}

export interface Terms extends MemoryOptions {
  readonly id: string;
  readonly world: MemoryWorld;
  readonly currencies: readonly RailCurrency[];
}

function describe(id: string, given: NonNullable<MemoryOptions['currencies']>[number], fuel: string | undefined): RailCurrency {
  const { code, unit, payDigits = 8, dust = 500n } = given;
  return {
    ...{ code, unit, payDigits, dust },
    railScale: 8,
    network: `Memory ${id}`,
    fields: [{ name: 'address', label: 'accounts.address', type: 'address', required: true }],
    fuel: fuel ?? code,
    ...(fuel === code && { feesFrom: 'fuel' }),
    arrivesAt: fuel ? 'deposit' : 'hot',
  };
}

/** Runs a call, with the fault that is set for it, if any. */
async function faulty<T>(world: MemoryWorld, call: Call, work: (fault?: Fault) => Promise<T>): Promise<T> {
  const fault = world.fault(call);
  if (fault?.kind === 'hang') return new Promise(() => {});
  if (fault?.kind === 'error') throw new Error(`the rail's ${call} failed`);
  const answer = await work(fault);
  if (fault?.kind === 'delay') await fault.until;
  return answer;
}

function addressOf(seed: string): string {
  const body = hashOf(seed);
  return `m${body}${hashOf(body).slice(0, 4)}`;
}

function checkAddress({ address = '' }: Fields): AccountCheck {
  const text = address.trim().toLowerCase();
  const wrong = (problem: 'empty' | 'wrong_network' | 'bad_checksum' | 'bad_format'): AccountCheck => ({
    ok: false,
    field: 'address',
    problem,
  });
  if (text === '') return wrong('empty');
  const match = /^([a-z])([0-9a-f]{20})([0-9a-f]{4})$/.exec(text);
  if (!match) return wrong('bad_format');
  if (match[1] !== 'm') return wrong('wrong_network');
  if (hashOf(match[2] ?? '').slice(0, 4) !== match[3]) return wrong('bad_checksum');
  return { ok: true, fields: { address: text }, key: text };
}

function memoryPayin(terms: Terms): Payin {
  const { id, world, provider } = terms;
  return {
    checkAccount: (_currency, fields) => checkAddress(fields),
    instruct: (_currency, index) => {
      const to = addressOf(`${id}:${index}`);
      world.own(to);
      return { to };
    },
    uri: (_currency, to, amount) => `memory:${to}?amount=${format(amount)}`,
    observe: (addresses, unread) =>
      faulty(world, 'observe', async (fault) => {
        for (const { to, readOn } of addresses) {
          if (world.endless.has(to)) unread?.({ to, readOn: `${readOn ?? ''}+`, detail: 'more than one look may read' });
        }
        return observedPaymentsAt(
          terms,
          addresses.filter(({ to }) => !world.endless.has(to)),
          fault,
        );
      }),
    ...(!provider && { seek: (missing) => faulty(world, 'seek', async () => missing.map((payment) => fateOf(terms, payment))) }),
    ...(provider && providerPayin(terms, (call, work) => faulty(world, call, work))),
    tip: () => faulty(world, 'tip', async () => ({ height: world.height, hash: world.hash })),
  };
}

/**
 * Returns the fate of a missing payment as a node proves it: the payment is in a block, its block was replaced, or another
 * transaction spent its inputs.
 */
function fateOf(terms: Terms, { key, to, currency, txid, inputs, block }: Missing): Fate {
  const { world } = terms;
  const observedPayment = observedPaymentsAt(terms, [{ currency, to, sinceHeight: 0 }]).find((one) => one.key === key);
  if (observedPayment?.status.at === 'block') return { is: 'there', sighting: observedPayment };
  const hash = block && world.hashAt(block.height);
  const stands = block === undefined || hash === undefined || hash === block.hash;
  const spender = inputs.flatMap((input) => world.minedSpenders(input).map((other) => ({ input, ...other })));
  const other = spender.find(({ id }) => id !== txid);
  const tip = world.height;
  const waits = observedPayment && { sighting: observedPayment };
  if (!stands) return { is: 'gone', by: { kind: 'block', height: block.height, hash, tip }, ...waits };
  if (other)
    return { is: 'gone', by: { kind: 'spent', input: other.input, txid: other.id, height: other.height, tip }, ...waits };
  return observedPayment ? { is: 'there', sighting: observedPayment } : { is: 'unknown', detail: 'not found' };
}

function observedPaymentsAt(
  { world, currencies, provider }: Terms,
  addresses: readonly ReceivingAddress[],
  fault?: Fault,
): ObservedPayment[] {
  const carried = new Set(currencies.map(({ code }) => code));
  const found = addresses.flatMap(({ to, sinceHeight }) =>
    // A chain doesn't show a payment that is gone. A provider still lists it as taken back.
    [...world.paying(to), ...(provider ? world.takenBack(to) : [])].flatMap((tx) => {
      const status = world.status(tx.id);
      if (status?.block && status.block.height < sinceHeight) return [];
      return tx.outputs.flatMap((output, vout): ObservedPayment[] => {
        // Ignores tokens that are not a currency of this rail.
        if (output.to !== to || !carried.has(output.currency) || tx.own) return [];
        return [
          {
            key: `${tx.id}:${vout}`,
            currency: output.currency,
            to,
            parts: output.parts,
            txid: tx.id,
            from: tx.from,
            ...(tx.inputs && { inputs: tx.inputs }),
            ...(provider && { source: { fields: { address: tx.from[0] ?? '' }, key: tx.from[0] ?? '' }, fee: world.keeps }),
            status: status ? said(status, world.takenOf(tx.id)) : { at: 'taken_back', reason: 'chargeback' },
          },
        ];
      });
    }),
  );
  if (fault?.kind === 'drop') return found.slice(0, -1);
  if (fault?.kind === 'duplicate') return [...found, ...found];
  if (fault?.kind === 'lie') return found.map((observedPayment) => ({ ...observedPayment, parts: observedPayment.parts * 2n }));
  return found;
}

function said(
  { tx, block, confirmations }: NonNullable<ReturnType<MemoryWorld['status']>>,
  taken: bigint,
): ObservedPayment['status'] {
  if (taken > 0n && block) return { at: 'taken_back', reason: 'chargeback', parts: taken };
  if (!block) return { at: 'mempool', isReplaceable: tx.isReplaceable, isFeeOk: tx.isFeeOk };
  const { height, hash, at: minedAt } = block;
  return { at: 'block', height, hash, minedAt, confirmations, isFinalised: confirmations >= FINALISED };
}

/** Number of confirmations from which the chain calls a block final. */
const FINALISED = 64;

/** Content of an attempt's bytes. */
interface Bytes {
  readonly outputs: readonly { readonly currency: string; readonly to: string; readonly parts: string }[];
  readonly spends: readonly string[];
  readonly items: readonly string[];
  readonly fee: { readonly currency: string; readonly parts: string };
  readonly raised: number;
  /** Deposit address that a sweep empties; absent for any other send. */
  readonly from?: string;
}

function memoryPayout(terms: Terms): Payout {
  const { world, batch = 100, currencies, fuel, fee = 1_000n } = terms;
  return {
    batch,
    proof: () => proofOf(terms.provider),
    prepare: (items, state) => faulty(world, 'prepare', async (fault) => prepare(terms, items, state, fault)),
    send: (attempt) => faulty(world, 'send', async (fault) => send(terms, attempt, fault)),
    find: (attempt) => faulty(world, 'find', async (fault) => find(terms, attempt, fault)),
    ...(terms.provider?.by === 'voucher' && {
      recall: (attempt: Attempt) => faulty(world, 'recall', async () => recall(terms, attempt)),
    }),
    ...(terms.hasSendList && {
      ownSends: () => faulty(world, 'ownSends', async () => ({ sends: ownSendsOf(terms) })),
      ruledOutBy: async ({ reference, spends }) => world.rivalOf(reference, spends),
    }),
    ...(!terms.provider && { bump: (attempt) => faulty(world, 'bump', async () => ({ ok: true, attempt: raise(attempt) })) }),
    estimate: async (currency) => ({
      currency: fuel ?? currencies.find(({ code }) => code === currency)?.code ?? currency,
      parts: fee,
    }),
  };
}

function prepare(terms: Terms, items: readonly PayoutItem[], state: WalletState, fault?: Fault): Prepared {
  const { world, fuel, fee = 1_000n } = terms;
  const [first] = items;
  if (!first) throw new Error('An attempt carries something');
  if (fault?.kind === 'refuse') return { ok: false, reason: 'refused', detail: fault.reason ?? 'the receiver is blocked' };
  const feeCurrency = fuel ?? first.currency;
  const sum = items.reduce((total, { parts }) => total + parts, 0n);
  if (world.held(first.currency, 'hot') < sum + (fuel ? 0n : fee))
    return { ok: false, reason: 'no_float', detail: 'not enough is held' };
  if (fuel && world.held(fuel, 'fuel') < fee) return { ok: false, reason: 'no_fuel', detail: 'not enough fuel is held' };
  const outputs = items.map(({ currency, to, parts }) => ({ currency, to: to['address'] ?? '', parts: parts.toString() }));
  const slot = nextSlot(terms, state);
  return {
    ok: true,
    attempt: attemptOf(terms, {
      outputs,
      items: items.map(({ id }) => id),
      fee: { currency: feeCurrency, parts: fee.toString() },
      slot,
    }),
  };
}

/** Returns the next slot (an input or nonce) that neither the simulated chain nor our own rows have used. */
function nextSlot({ world }: Terms, state: WalletState): number {
  return Math.max(world.nextSlot, state.nextNonce ?? 0, ...state.spent.map((spend) => slotOf(spend) + 1));
}

function attemptOf({ fuel }: Terms, made: Omit<Bytes, 'spends' | 'raised'> & { readonly slot: number }): Attempt {
  const { slot, ...rest } = made;
  return withBytes({ ...rest, spends: [`slot:${slot}`], raised: 0 }, fuel ? slot : undefined);
}

function withBytes(bytes: Bytes, nonce: number | undefined): Attempt {
  const raw = JSON.stringify(bytes);
  const fee = { currency: bytes.fee.currency, parts: BigInt(bytes.fee.parts) };
  return { reference: hashOf(raw), items: bytes.items, raw, spends: bytes.spends, ...(nonce !== undefined && { nonce }), fee };
}

/** Returns an attempt with the same outputs and inputs at twice the fee. At most one of the two can happen. */
function raise(attempt: Attempt): Attempt {
  const bytes = JSON.parse(attempt.raw) as Bytes;
  const fee = { ...bytes.fee, parts: (BigInt(bytes.fee.parts) * 2n).toString() };
  return withBytes({ ...bytes, fee, raised: bytes.raised + 1 }, attempt.nonce);
}

function txOf(attempt: Attempt, id: string, isReverted: boolean): MemoryTx {
  const { outputs, spends, items, fee, from } = JSON.parse(attempt.raw) as Bytes;
  return {
    id,
    outputs: outputs.map((output) => ({ ...output, parts: BigInt(output.parts) })),
    ...{ from: ['us'], isReplaceable: false, isFeeOk: true, isReverted },
    own: { spends, items, fee: { currency: fee.currency, parts: BigInt(fee.parts) }, from },
  };
}

function send({ world, provider }: Terms, attempt: Attempt, fault?: Fault): Sent {
  if (fault?.kind === 'drop') return { outcome: 'unknown', reason: 'no answer' };
  if (fault?.kind === 'refuse') return { outcome: 'refused', reason: fault.reason ?? 'refused' };
  if (fault?.kind === 'exists') return { outcome: 'exists', reason: 'the reference was used' };
  const txid = attempt.reference;
  if (provider) {
    // A provider has no inputs that rule a repetition out. Each repeated request pays again, unless the provider recognises the
    // reference.
    const tx = txOf(attempt, provider.hasDedupe ? txid : `${txid}#${world.executions(attempt.items[0] ?? '')}`, false);
    world.submit({ ...tx, own: { items: attempt.items, fee: attempt.fee, spends: [] } });
  } else if (world.submit(txOf(attempt, txid, fault?.kind === 'lie')) === 'spent') {
    const over = world.isRuledOut(txid, attempt.spends);
    return over ? { outcome: 'refused', reason: 'spent by another' } : { outcome: 'unknown', reason: 'conflicts with another' };
  }
  return fault?.kind === 'lost'
    ? { outcome: 'unknown', reason: 'no answer' }
    : { outcome: 'accepted', txid, ...voucherOf(provider, txid) };
}

function find({ world, provider }: Terms, attempt: Attempt, fault?: Fault): Found {
  const txid = attempt.reference;
  if (fault?.kind === 'lie') return { outcome: 'absent', isConclusive: false };
  const status = world.status(txid) ?? (provider && world.status(`${txid}#0`));
  if (!status) return { outcome: 'absent', isConclusive: !provider && world.isRuledOut(txid, attempt.spends) };
  const { block, confirmations, tx } = status;
  if (!block) return { outcome: 'pending', txid };
  const isFinalised = confirmations >= FINALISED;
  return {
    outcome: 'mined',
    txid,
    height: block.height,
    confirmations,
    isFinalised,
    ok: !tx.isReverted,
    fee: tx.own?.fee.parts ?? 0n,
    ...voucherOf(provider, txid),
  };
}

function reserveOf({ world, currencies, fuel }: Terms, setAside?: bigint): RailBalance[] {
  // If a currency also pays for gas, coin and gas lie at one address, and only the books can tell them apart.
  const isShared = currencies.some(({ code }) => code === fuel);
  const whole = world.held(fuel ?? '', 'hot') + world.held(fuel ?? '', 'fuel');
  const ofFuel = setAside === undefined || setAside > whole ? whole : setAside;
  const hot = currencies.map(({ code }): RailBalance => {
    const parts = code === fuel ? whole - ofFuel : world.saidHeld(code, 'hot');
    return { currency: code, place: 'hot', ...both(parts), ...(world.balanceSays && { asOf: world.balanceSays }) };
  });
  if (!fuel) return hot;
  const deposits = currencies.map(({ code }): RailBalance => ({
    currency: code,
    place: 'deposit',
    parts: world.held(code, 'deposit'),
    payable: 0n,
  }));
  const gas = (isShared ? (['fuel'] as const) : (['fuel', 'deposit'] as const)).map((place): RailBalance => ({
    currency: fuel,
    place,
    parts: isShared ? ofFuel : world.held(fuel, place),
    payable: 0n,
  }));
  return [...hot, ...deposits, ...gas];
}

const both = (parts: bigint): { parts: bigint; payable: bigint } => ({ parts, payable: parts > 0n ? parts : 0n });

/** Sweeps of an account chain. Each deposit address needs gas of its own before its tokens can move. */
function memorySweep(terms: Terms, fuel: string): Sweep {
  const { world, id, currencies, fee = 1_000n } = terms;
  const at = (index: number): string => addressOf(`${id}:${index}`);
  return {
    holdings: (indexes) =>
      faulty(world, 'holdings', async () =>
        indexes.flatMap((index) =>
          currencies.flatMap(({ code }) => {
            const parts = world.held(code, at(index));
            // The amount is negative if a reorg removed the deposit while its sweep waits to be mined. A real chain would show no
            // amount there.
            return parts <= 0n ? [] : [{ index, currency: code, parts, fuelParts: world.held(fuel, at(index)) }];
          }),
        ),
      ),
    prepare: async (index, currency, step, state) => {
      const all = world.held(currency, at(index));
      const parts = step === 'fuel' ? 2n * fee : currency === fuel ? all - fee : all;
      if (step === 'collect' && world.held(fuel, at(index)) < fee)
        return { ok: false, reason: 'no_fuel', detail: 'no gas there' };
      const [code, to] = step === 'fuel' ? [fuel, at(index)] : [currency, 'hot'];
      const bytes: Bytes = {
        outputs: [{ currency: code, to, parts: parts.toString() }],
        spends: [step === 'fuel' ? `slot:${nextSlot(terms, state)}` : `${at(index)}:${world.sentFrom(at(index))}`],
        items: [],
        fee: { currency: fuel, parts: fee.toString() },
        raised: 0,
        ...(step === 'collect' && { from: at(index) }),
      };
      return { ok: true, attempt: withBytes(bytes, Number.parseInt(bytes.spends[0]?.split(':')[1] ?? '', 10)), parts };
    },
  };
}
