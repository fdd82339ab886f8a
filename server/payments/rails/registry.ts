import type { Money } from '@kurs/money';
import type { AccountCheck, Fields, Payin, Payout, Rail, RailCurrency } from '../../rails/rail.ts';
import { within } from './deps.ts';
import { type SaidOfRails, purposes, saidFor } from './purposes.ts';

/** A currency, with the name of its rail. */
export interface CurrencyInfo extends RailCurrency {
  readonly rail: string;
}

let rails: ReadonlyMap<string, Rail> = new Map();
let byCurrency: ReadonlyMap<string, { info: CurrencyInfo; rail: Rail }> = new Map();
let ownKeys: ReadonlySet<string> = new Set();
let known: readonly string[] = [];
let refused: ReadonlyMap<string, string> = new Map();
let needs: ReadonlyMap<string, readonly string[]> = new Map();
let isOnAtStart = true;
let readAt: Date | undefined;

/** Facts about all rails that this build knows, even rails that this process doesn't run. */
export interface RailsBeside {
  /** Names of all rails that this build knows, in the order in which they are listed. */
  readonly known?: readonly string[];
  /** True if rails take payments until operators switch the rails off (sandbox). False with real money. */
  readonly isOnAtStart?: boolean;
  /** Reasons for which configured rails were rejected, by rail. */
  readonly refused?: ReadonlyMap<string, string>;
  /** Names of the settings that each rail needs, by rail. */
  readonly needs?: ReadonlyMap<string, readonly string[]>;
  /** Time at which the rails' settings were read. They are read only at start. */
  readonly readAt?: Date;
}

/**
 * Sets the rails of this process. Called once at start, before any other function of this room. `own`: keys of our own accounts
 * that are not receiving addresses (hot wallets). Throws if two rails have the same currency.
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
  isOnAtStart = beside.isOnAtStart ?? true;
  refused = beside.refused ?? new Map();
  needs = beside.needs ?? new Map();
  readAt = beside.readAt;
  byCurrency = found;
  ownKeys = new Set([...own].map((key) => key.toLowerCase()));
}

/** Returns every rail of this process. */
export function allRails(): Rail[] {
  return [...rails.values()];
}

/** Returns the names of all rails that this build knows, each once. */
export function railNames(): string[] {
  return [...new Set([...known, ...rails.keys(), ...refused.keys()])];
}

/** Returns the reason for which a configured rail was rejected; undefined for any other rail. */
export function whyRefused(rail: string): string | undefined {
  return refused.get(rail);
}

/** Returns when the rails' settings were read, in real time; undefined if unknown. */
export const settingsReadAt = (): Date | undefined => readAt;

/** Returns the names of the settings that a rail needs to be configured; none for a configured rail. */
export function missingFor(rail: string): readonly string[] {
  return rails.has(rail) || refused.has(rail) ? [] : (needs.get(rail) ?? []);
}

/**
 * True if a rail takes payments for a purpose: by the operators' switches (`payments.rails`), or by `isOnAtStart` if operators
 * have set no switch.
 */
export function isOnFor(said: SaidOfRails, rail: string, purpose: string): boolean {
  return saidFor(said, rail, purpose) ?? isOnAtStart;
}

/** True if rails take payments until operators switch them off, as in a sandbox. */
export const startsRailsOn = (): boolean => isOnAtStart;

/** Returns the purposes for which a rail takes payments. */
export function purposesOf(said: SaidOfRails, rail: string): string[] {
  return purposes().filter((purpose) => isOnFor(said, rail, purpose));
}

/** Returns the kind of a rail of this process; undefined for an unknown rail. */
export function kindOf(rail: string): Rail['kind'] | undefined {
  return rails.get(rail)?.kind;
}

/** Returns every currency of this process's rails. */
export function currencies(): CurrencyInfo[] {
  return [...byCurrency.values()].map((entry) => entry.info);
}

/** Returns a currency by its code; undefined if no rail has it. */
export function currencyOf(code: string): CurrencyInfo | undefined {
  return byCurrency.get(code)?.info;
}

/** Returns the currency in which a rail pays network fees from gas that is set aside (`feesFrom`); undefined if there is none. */
export function gasOf(rail: string): CurrencyInfo | undefined {
  return currencies().find((currency) => currency.rail === rail && currency.feesFrom === 'fuel');
}

/** Returns a currency and its rail. Throws if no rail has the currency. */
export function carrierOf(code: string): { readonly info: CurrencyInfo; readonly rail: Rail } {
  const entry = byCurrency.get(code);
  if (!entry) throw new Error(`No rail carries ${code}`);
  return entry;
}

/** Returns the pay-in side of a rail. Throws if it has none. */
export function payinOf(rail: Rail): Payin {
  if (!rail.payin) throw new Error(`${rail.id} takes no payments`);
  return rail.payin;
}

/** Returns the payout side of a rail. Throws if it has none. */
export function payoutOf(rail: Rail): Payout {
  if (!rail.payout) throw new Error(`${rail.id} sends no payments`);
  return rail.payout;
}

/** Checks an account of a currency by decoding it. Returns canonical fields and one key, or the field and its problem. */
export function checkAccount(currency: string, fields: Fields): AccountCheck {
  return payinOf(carrierOf(currency).rail).checkAccount(currency, fields);
}

/** Returns the link that opens a wallet with the given payment filled in. */
export function paymentUri(currency: string, to: string, amount: Money): string {
  return payinOf(carrierOf(currency).rail).uri(currency, to, amount);
}

/** Content of a payment's code to scan. */
export interface PaymentCode {
  readonly text: string;
  readonly holds: 'address' | 'address_and_amount';
}

/**
 * Returns the content of a payment's code to scan: the bare address, or a link with the amount if all wallets of the rail can
 * read such links.
 */
export function paymentCode(currency: string, to: string, amount: Money): PaymentCode {
  const text = payinOf(carrierOf(currency).rail).code?.(currency, to, amount);
  return text === undefined ? { text: to, holds: 'address' } : { text, holds: 'address_and_amount' };
}

/**
 * Returns the network's fee for sending one payout now, in parts of the coin that pays it. Queries the network, so cache the
 * result.
 */
export function estimateSending(currency: string): Promise<{ readonly currency: string; readonly parts: bigint }> {
  return payoutOf(carrierOf(currency).rail).estimate(currency);
}

/** True if a currency is on a chain, where the chain's coin pays the fees. Providers charge fees of their own. */
export function isChain(code: string): boolean {
  return byCurrency.get(code)?.rail.kind === 'chain';
}

/** True if a currency's rail sends payouts. A gateway may only receive. */
export function canSend(code: string): boolean {
  return byCurrency.get(code)?.rail.payout !== undefined;
}

/** Returns how a customer pays in a currency: to an address, at the provider's page, or by entering a bought voucher. */
export function payKindOf(code: string): 'address' | 'redirect' | 'voucher' {
  const payin = byCurrency.get(code)?.rail.payin;
  if (payin?.redeem) return 'voucher';
  return payin?.open ? 'redirect' : 'address';
}

/** True if a payment in this currency must be prepared at a provider: an address alone isn't enough to pay. */
export function isPrepared(code: string): boolean {
  return byCurrency.get(code)?.rail.payin?.open !== undefined;
}

/** Longest wait for a fee estimate, in ms: a customer waits for it on their page. */
const ESTIMATE_MS = 2_500;

/**
 * Returns the cost of sending to an account now, if the rail's cost depends on the account. Returns undefined if it doesn't, and
 * the usual cost applies. Queries the network for at most `ms`. Throws `NoAnswer` after that, and the errors that the rail
 * throws.
 */
export async function estimateSendingTo(
  currency: string,
  to: Fields,
  ms = ESTIMATE_MS,
): Promise<{ readonly currency: string; readonly parts: bigint } | undefined> {
  const { payout } = carrierOf(currency).rail;
  return within(ms, `what sending ${currency} costs`, async () => payout?.estimateFor?.(currency, to));
}

/**
 * True if the payer of a payment disputes it now. `source`: account of the payment, as its event reported it. False for payments that
 * can't be disputed. Queries the provider for at most `ms`. Throws `NoAnswer` after that, and the errors that the rail throws.
 */
export async function isDisputed(currency: string, source: Fields, ms = ESTIMATE_MS): Promise<boolean> {
  const { payin } = carrierOf(currency).rail;
  return (await within(ms, `whether a payment in ${currency} is disputed`, async () => payin?.isDisputed?.(source))) ?? false;
}

/** True if a key belongs to an own account that is not a receiving address. */
export function isOwnKey(key: string): boolean {
  return ownKeys.has(key.toLowerCase());
}
