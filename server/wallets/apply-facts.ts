// What payments tell of payments into wallets, applied in groups: one posting at the end (money.md W1, W6).

import { screens, verdictsOnPayments } from '../compliance/index.ts';
import { type AccountRef, type Journal, accounts, balances, post } from '../ledger/index.ts';
import { INTO_WALLET, type IntoWallet } from '../moneyout/index.ts';
import { PAYIN_FACT, type PayinBody } from '../payments/index.ts';
import { type Left, type StoredFact, type Subscription, type Tx, log, newId, subscribe } from '../platform/index.ts';
import { type Deposit, after, credit, partsOf, takeBack, walletOf } from './deposit.ts';
import { depositsById, openWallet, placesById, saveDeposits } from './store.ts';

const PREFIX = 'wallet:';
const UNSCREENED = 'the payment is not screened yet';

/** Wallets as a subscriber of payments' facts. */
export function walletsSubscription(): Subscription {
  return subscribe({ subscriber: 'wallets', kinds: [PAYIN_FACT, INTO_WALLET], about: PREFIX, handle: applyFacts });
}

interface Told {
  readonly fact: StoredFact;
  readonly placeId: string;
  readonly body: PayinBody;
}

/**
 * Applies a group of facts, oldest first. Left are final payments that wait for their screening, with what comes after
 * them at the same place. One whose sender a person has to look at is the holder's, but not to be used (`uncleared`).
 */
export async function applyFacts(tx: Tx, facts: readonly StoredFact[]): Promise<Left | undefined> {
  for (const { kind, body } of facts) {
    const { holderId, unit } = body as IntoWallet;
    if (kind === INTO_WALLET) await openWallet(tx, holderId, unit);
  }
  const told = facts.flatMap(toldOf);
  if (told.length === 0) return undefined;
  const places = await placesById(
    tx,
    told.map(({ placeId }) => placeId),
  );
  const deposits = await depositsById(
    tx,
    told.map(({ body }) => body.payinId),
  );
  const screened = told.map(({ body }) => ({ ...body, isFinal: body.event === 'final' }));
  const verdicts = screens() ? await verdictsOnPayments(tx, screened) : undefined;
  const money = new Money(tx);
  const leave = new Map<string, string>();
  /** Places at which something waits: what is told of them later waits behind it. */
  const waiting = new Set<string>();
  const touched = new Map<string, Deposit>();
  for (const { fact, placeId, body } of told) {
    const place = places.get(placeId);
    if (!place) throw new Error(`The fact ${fact.id} is about a wallet's place that does not exist: ${placeId}`);
    const known = touched.get(body.payinId) ?? deposits.get(body.payinId);
    const next = after(body, known, { placeId, holderId: place.holderId }, tx.now);
    const verdict = verdicts && body.event === 'final' ? (verdicts.get(body.payinId) ?? 'waits') : 'clean';
    if (verdict === 'waits' || waiting.has(placeId)) {
      waiting.add(placeId);
      if (!known) touched.set(body.payinId, { ...next, status: 'seen', finalAt: undefined });
      leave.set(fact.id, UNSCREENED);
      continue;
    }
    // What comes back in part joins the rest.
    const held = verdict !== 'clean' || (known?.status === 'checking' && body.event !== 'dropped');
    touched.set(body.payinId, held && next.status === 'final' ? { ...next, status: 'checking' } : next);
    if (body.event === 'final') await money.credit(body, place.holderId, held);
    else if (body.event === 'reversed') await money.takeBack(body, place.holderId, held);
  }
  await saveDeposits(tx, [...touched.values()]);
  await money.post();
  return leave.size > 0 ? { leave } : undefined;
}

function toldOf(fact: StoredFact): Told[] {
  if (fact.kind !== PAYIN_FACT || !fact.subject.startsWith(PREFIX)) return [];
  return [{ fact, placeId: fact.subject.slice(PREFIX.length), body: fact.body as PayinBody }];
}

/** A group's journals, and what they leave in the wallets that something is taken back from. */
class Money {
  readonly #tx: Tx;
  readonly #journals: Journal[] = [];
  readonly #available = new Map<string, bigint>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  async credit(body: PayinBody, holderId: string, held: boolean): Promise<void> {
    await openWallet(this.#tx, holderId, body.unit);
    const wallet = walletOf(holderId, body.unit, held);
    const before = this.#available.get(wallet.name);
    if (before !== undefined) this.#available.set(wallet.name, before + partsOf(body));
    this.#journals.push(credit(body, wallet, newId()));
  }

  /** A wallet that is spent from at the same moment makes the ledger refuse: the whole group is then told again. */
  async takeBack(body: PayinBody, holderId: string, held: boolean): Promise<void> {
    const wallet = walletOf(holderId, body.unit, held);
    const available = this.#available.get(wallet.name) ?? (await this.#availableNow(wallet));
    this.#journals.push(takeBack(body, { wallet, owes: accounts.receivable(holderId, body.unit), available }, newId()));
    this.#available.set(wallet.name, available > partsOf(body) ? available - partsOf(body) : 0n);
  }

  async #availableNow(wallet: AccountRef): Promise<bigint> {
    const [stored = 0n] = await balances(this.#tx, [wallet]);
    const added = this.#journals.flatMap(({ legs }) => legs.filter(({ to }) => to.name === wallet.name));
    return stored + added.reduce((sum, { parts }) => sum + parts, 0n);
  }

  /** The group's one posting, the last thing that its transaction does. */
  async post(): Promise<void> {
    if (this.#journals.length === 0) return;
    const statuses = await post(this.#tx, this.#journals);
    const refused = statuses.find(({ status }) => status !== 'posted');
    if (refused) throw new Error(`The ledger refused a deposit: ${refused.status}`);
    log.info('deposits were posted', { journals: this.#journals.length });
  }
}
