import type { Money } from '@kurs/money';
import type { AccountCheck, Fields, Payin, Payout, Rail, RailCurrency } from '../../rails/rail.ts';
import { within } from './deps.ts';
import { type SaidOfRails, purposes, saidFor } from './purposes.ts';

/** A currency with the rail it runs on. */
export interface CurrencyInfo extends RailCurrency {
  readonly rail: string;
}

let rails: ReadonlyMap<string, Rail> = new Map();
let byCurrency: ReadonlyMap<string, { info: CurrencyInfo; rail: Rail }> = new Map();
let ownKeys: ReadonlySet<string> = new Set();
let known: readonly string[] = [];
let refused: ReadonlyMap<string, string> = new Map();
let needs: ReadonlyMap<string, readonly string[]> = new Map();
let startsOn = true;
let readAt: Date | undefined;

/** What a process knows of rails beside those that it has. */
export interface RailsBeside {
  /** Every rail that there could be, in the order in which they are listed. */
  readonly known?: readonly string[];
  /** Whether a rail that nobody has switched takes payments: with real money people say so first. */
  readonly startsOn?: boolean;
  /** Why some are not here that somebody has set up. */
  readonly refused?: ReadonlyMap<string, string>;
  /** What each is set up by, by name. */
  readonly needs?: ReadonlyMap<string, readonly string[]>;
  /** When their settings were read; only a start reads them. */
  readonly readAt?: Date;
}

/**
 * Gives this process its rails; called once at start, before anything else of this room. `own`: keys of addresses of
 * ours that are no addresses (the hot wallet). Throws where two rails carry one currency.
 */
export function useRails(given: ReadonlyMap<string, Rail>, own: Iterable<string> = [], beside: RailsBeside = {}): void {
  const found = new Map<string, { info: CurrencyInfo; rail: Rail }>();
  for (const rail of given.values()) {
    for (const currency of rail.currencies) {
      if (found.has(currency.code)) throw new Error(`Two rails carry ${currency.code}`);
      found.set(currency.code, { info: { ...currency, rail: rail.id }, rail });
    }
  }
  rails = given;
  known = beside.known ?? [];
  startsOn = beside.startsOn ?? true;
  refused = beside.refused ?? new Map();
  needs = beside.needs ?? new Map();
  readAt = beside.readAt;
  byCurrency = found;
  ownKeys = new Set([...own].map((key) => key.toLowerCase()));
}

/** Every rail of this process. */
export function allRails(): Rail[] {
  return [...rails.values()];
}

/** The names of all rails that there could be, those first that are known; each once. */
export function railNames(): string[] {
  return [...new Set([...known, ...rails.keys(), ...refused.keys()])];
}

/** Why a rail is not here although somebody has set it up; undefined where nobody has, or it is. */
export function whyRefused(rail: string): string | undefined {
  return refused.get(rail);
}

/** When the settings of rails were read, in real time; undefined where nobody said. */
export const settingsReadAt = (): Date | undefined => readAt;

/** What a rail that nobody has set up would need. */
export function missingFor(rail: string): readonly string[] {
  return rails.has(rail) || refused.has(rail) ? [] : (needs.get(rail) ?? []);
}

/** Whether a rail takes payments for a purpose by what people have said of rails (`payments.rails`), or by the mode. */
export function isOnFor(said: SaidOfRails, rail: string, purpose: string): boolean {
  return saidFor(said, rail, purpose) ?? startsOn;
}

/** True in a sandbox: rails take payments before anybody has switched them on. */
export const startsRailsOn = (): boolean => startsOn;

/** For which purposes a rail takes payments. */
export function purposesOf(said: SaidOfRails, rail: string): string[] {
  return purposes().filter((purpose) => isOnFor(said, rail, purpose));
}

/** What a rail of this process is; undefined for none. */
export function kindOf(rail: string): Rail['kind'] | undefined {
  return rails.get(rail)?.kind;
}

/** Every currency that a rail of this process carries. */
export function currencies(): CurrencyInfo[] {
  return [...byCurrency.values()].map((entry) => entry.info);
}

/** A currency by its code, or undefined where no rail carries it. */
export function currencyOf(code: string): CurrencyInfo | undefined {
  return byCurrency.get(code)?.info;
}

/** The currency of a rail that pays network fees out of a part set aside (`feesFrom`), or undefined where none does. */
export function gasOf(rail: string): CurrencyInfo | undefined {
  return currencies().find((currency) => currency.rail === rail && currency.feesFrom === 'fuel');
}

/** The rail and description of a currency. Throws where no rail carries it. */
export function carrierOf(code: string): { readonly info: CurrencyInfo; readonly rail: Rail } {
  const entry = byCurrency.get(code);
  if (!entry) throw new Error(`No rail carries ${code}`);
  return entry;
}

/** The pay-in side of a rail. Throws where the rail has none. */
export function payinOf(rail: Rail): Payin {
  if (!rail.payin) throw new Error(`${rail.id} takes no payments`);
  return rail.payin;
}

/** The payout side of a rail. Throws where the rail has none. */
export function payoutOf(rail: Rail): Payout {
  if (!rail.payout) throw new Error(`${rail.id} sends no payments`);
  return rail.payout;
}

/** Checks an account of a currency by decoding; gives canonical fields and one key, or the field and its problem. */
export function checkAccount(currency: string, fields: Fields): AccountCheck {
  return payinOf(carrierOf(currency).rail).checkAccount(currency, fields);
}

/** The link that opens a wallet with this payment filled in. */
export function paymentUri(currency: string, to: string, amount: Money): string {
  return payinOf(carrierOf(currency).rail).uri(currency, to, amount);
}

/** What a code to scan holds of a payment to an address. */
export interface PaymentCode {
  readonly text: string;
  readonly holds: 'address' | 'address_and_amount';
}

/** What the code of a payment holds: the bare address unless the rail's wallets all read more. */
export function paymentCode(currency: string, to: string, amount: Money): PaymentCode {
  const text = payinOf(carrierOf(currency).rail).code?.(currency, to, amount);
  return text === undefined ? { text: to, holds: 'address' } : { text, holds: 'address_and_amount' };
}

/** What sending one payout costs now: the network's fee in the fuel's parts. Asks the network; cache it. */
export function estimateSending(currency: string): Promise<{ readonly currency: string; readonly parts: bigint }> {
  return payoutOf(carrierOf(currency).rail).estimate(currency);
}

/** Is a currency a network's, whose fees are paid in fuel? Else a provider takes its own. */
export function isChain(code: string): boolean {
  return byCurrency.get(code)?.rail.kind === 'chain';
}

/** Does a currency's rail send anything? A gateway may only take. */
export function canSend(code: string): boolean {
  return byCurrency.get(code)?.rail.payout !== undefined;
}

/** How a customer pays in a currency: to an address, at its provider's page, or by entering what they have bought. */
export function payKindOf(code: string): 'address' | 'redirect' | 'voucher' {
  const payin = byCurrency.get(code)?.rail.payin;
  if (payin?.redeem) return 'voucher';
  return payin?.open ? 'redirect' : 'address';
}

/** Is a payment in this currency prepared at a provider, so that an address alone doesn't say how to pay? */
export function isPrepared(code: string): boolean {
  return byCurrency.get(code)?.rail.payin?.open !== undefined;
}

/** A customer waits for the answer on their page: a rail that takes longer has no answer. */
const ESTIMATE_MS = 2_500;

/**
 * What sending to this very account costs now, where the account decides that; else undefined: the usual cost holds. Asks
 * the network, at most for `ms` milliseconds. Throws NoAnswer after that, and what the rail throws.
 */
export async function estimateSendingTo(
  currency: string,
  to: Fields,
  ms = ESTIMATE_MS,
): Promise<{ readonly currency: string; readonly parts: bigint } | undefined> {
  const { payout } = carrierOf(currency).rail;
  return within(ms, `what sending ${currency} costs`, async () => payout?.estimateFor?.(currency, to));
}

/** Is this key one of the addresses of ours that are no addresses? */
export function isOwnKey(key: string): boolean {
  return ownKeys.has(key.toLowerCase());
}
