import type { ReturnPages } from '@kurs/contract';
import type { Money } from '@kurs/money';
import type { OwnSends, OwnSendsRequest, PaidBy, WalletState } from './own-account.ts';
import type { SignedEntry } from './signed-entry.ts';
import type { Entry, Fate, Fields, HandedOn, Missing, ObservedPayment, Unread, ReceivingAddress } from './observed-payment.ts';

import type { Scan } from './own-addresses.ts';

export type * from './observed-payment.ts';
export type { Scan, UsedAddress } from './own-addresses.ts';
export type * from './own-account.ts';

/**
 * The one interface to every network and provider that moves money. A rail describes its currencies, makes pay-in
 * instructions, observes payments, sends and looks up payouts, and reports balances. A feature that a provider lacks is an
 * absent method, never a method that throws. A rail has no database: callers pass state in and store the results.
 *
 * - **Instruction**: the address, and perhaps a memo, for a customer's payment. **Observed payment**: a payment as the rail
 *   shows it now.
 * - **Attempt**: one prepared send (a signed transaction, a request with our reference), stored before it leaves.
 * - **Payment status**: the finality of an observed payment. A reorg and a chargeback are the same event: the payment is gone.
 */
export interface Rail {
  readonly id: string;
  /** `chain`: a network with blocks · `provider`: a company that holds the accounts. */
  readonly kind: 'chain' | 'provider';
  readonly currencies: readonly RailCurrency[];
  /** URLs to which customers' browsers post its forms: a page's content security policy must name their origins. */
  readonly forms?: readonly string[];
  readonly payin?: Payin;
  readonly payout?: Payout;
  readonly sweep?: Sweep;
  /** Present if receiving addresses are derived from our keys, so that a chain can be scanned for all of them. */
  readonly scan?: Scan;
  /**
   * Returns the current balances by the rail, per currency and place. A wallet of many addresses needs the state to know the
   * addresses to read; without state, it reads those of the last successful call.
   */
  reserve(state?: WalletState): Promise<RailBalance[]>;
  /** Returns our own address or account for capital in a currency. Absent: the desk can't bring capital in. */
  ownAccount?(currency: string): string | undefined;
  health(): Promise<RailHealth>;
  /**
   * Returns the number of calls that this process has made to the rail's server so far; it limits polls of addresses. Absent:
   * calls are not counted.
   */
  calls?(): number;
  close(): Promise<void>;
}

/** A currency in its rail. */
export interface RailCurrency {
  readonly code: string;
  readonly unit: string;
  /** Decimals of the rail (USDT on BSC: 18). Received amounts are rounded down to the unit's decimals. */
  readonly railScale: number;
  /** Number of decimals in payments. */
  readonly payDigits: number;
  /** The network's name for people: `Bitcoin`, `Ethereum · ERC-20`. */
  readonly network: string;
  /** Fields of an account for payouts; empty if a payout needs no account (a voucher is shown to the customer). */
  readonly fields: readonly AccountField[];
  /**
   * Fields that a payer must fill in before paying in this currency: the account for a refund, or the account to pay from.
   * Empty if the rail refunds to the source of a payment. Absent: the same as `fields`.
   */
  readonly payerFields?: readonly AccountField[];
  /** Smallest payment that is more than dust, in minor units. */
  readonly dust: bigint;
  /** Unit and custody currency of this rail's network fees (ETH for USDT_ERC20). */
  readonly fuel: string;
  /**
   * Custody place that pays the network fees of a currency which is also the fuel. `hot`, the default: the same balance that
   * payouts leave from (bitcoin). `fuel`: a part of the hot wallet that the books set aside (`WalletState.fuel`).
   */
  readonly feesFrom?: 'hot' | 'fuel';
  /** Custody place of a new pay-in: `hot` if it is payable at once, `deposit` until swept. */
  readonly arrivesAt: 'hot' | 'deposit';
}

/** A field of a customer's account: `address`, `email`, `memo`. */
export interface AccountField {
  readonly name: string;
  /** Key of its label in the contract's words. */
  readonly label: string;
  readonly type: 'address' | 'email' | 'text';
  readonly required: boolean;
  readonly pattern?: string;
}

/** A checked account: its canonical fields and one line that identifies it, or the problem of a field. */
export type AccountCheck =
  | { readonly ok: true; readonly fields: Fields; readonly key: string }
  | {
      readonly ok: false;
      readonly field: string;
      readonly problem: AccountProblem;
      /** Values for the placeholders of the problem's words. */
      readonly says?: Fields;
      /** The text that was read as the account, if there was other text around it. */
      readonly read?: string;
    };

/**
 * - `unusable`: a valid address that nobody can spend from.
 * - `other_link`: a payment link to another network; `contract_call`: a link that calls a contract to move a token;
 *   `unknown_link`: a link without an account, or with unknown requirements; `web_page`: no payment link.
 * - `look_alike`: a letter of another alphabet; `hidden_character`: an invisible one.
 */
export type AccountProblem =
  | 'empty'
  | 'wrong_network'
  | 'bad_checksum'
  | 'bad_format'
  | 'unusable'
  | 'other_link'
  | 'contract_call'
  | 'unknown_link'
  | 'web_page'
  | 'look_alike'
  | 'hidden_character';

export interface RailBalance {
  readonly currency: string;
  readonly place: 'hot' | 'deposit' | 'fuel';
  readonly parts: bigint;
  /** Part that can be sent now (confirmed, not already spent by us). */
  readonly payable: bigint;
  /** The rail's own time of this figure, if it may be behind; absent: unknown. */
  readonly asOf?: Date;
}

export interface RailHealth {
  readonly isUp: boolean;
  /**
   * True if it isn't up because no usable answer came, which may be a moment's trouble. A refusal of the rail itself doesn't set
   * it.
   */
  readonly isSilent?: boolean;
  /** Words for the operator about a right that the provider has not granted: what waits without it, and how to ask for it. */
  readonly lacks?: string;
  readonly height?: number;
  readonly detail: string;
}

export interface Payin {
  /** True if the rail shows payments only once they are in a block, so nothing changes between two blocks. */
  readonly isBlocksOnly?: true;
  /** Validates the fields of a customer's account by decoding, never by a pattern alone. Uses no network. */
  checkAccount(currency: string, fields: Fields): AccountCheck;
  /** Returns our receiving address of an index, derived from a public key. Callers never use an index twice. */
  instruct(currency: string, index: number): Instruction;
  /**
   * Returns a link that opens a wallet (`bitcoin:…?amount=`). For a token the link may call a contract, so codes to scan don't
   * contain it.
   */
  uri(currency: string, to: string, amount: Money): string;
  /**
   * Returns the content of a code to scan. Present if every wallet's scanner reads more than the bare address, such as the
   * amount. Absent: the content is the bare address (docs/payment-codes.md).
   */
  code?(currency: string, to: string, amount: Money): string;
  /**
   * Returns all payments to these addresses with their present status, in minor units, rounded down. Reports an address that
   * can't be read completely to `unread`, returns its payments read so far, and continues with the other addresses. The next
   * poll gets its `readOn`. Logs and leaves out impossible values, such as an invalid amount or time. Throws only if nothing
   * at all could be read.
   */
  observe(addresses: readonly ReceivingAddress[], unread?: (left: Unread) => void): Promise<ObservedPayment[]>;
  /**
   * Returns the outcome of each payment that a poll no longer showed, in order. A payment is `gone` only by evidence. It is
   * `unknown` if it isn't found, which proves nothing, and if the query for it fails. Absent for providers, which report
   * themselves that a payment was taken back.
   */
  seek?(missing: readonly Missing[]): Promise<readonly Fate[]>;
  /**
   * Returns the payments of a transaction to an address. `hash`: lower-case hex digits without a prefix. Throws if the chain
   * can't be read. Absent for providers.
   */
  paidBy?(place: Pick<ReceivingAddress, 'currency' | 'to'>, hash: string): Promise<PaidBy>;
  /**
   * Returns balances of our addresses in the chain's own coin, by final blocks, with the height of the newest one. Present if
   * contracts can hand coin on, which no poll shows. Leaves out addresses that can't be queried.
   */
  lies?(addresses: readonly string[]): Promise<Lies>;
  /**
   * Returns coin that contracts handed on to an address in a range of blocks, both ends included, by traces of executed calls.
   * Absent if the operator's node is not configured to give traces.
   */
  traced?(to: string, blocks: { readonly from: number; readonly to: number }): Promise<readonly HandedOn[]>;
  /**
   * True if the payer of a payment, by the `source` that `observe` reported, disputes it now. Throws if the provider doesn't
   * answer. Absent if payments of the rail can't be disputed.
   */
  isDisputed?(source: Fields): Promise<boolean>;
  /** Returns height and hash of the newest block. Payments polls again when it changes. A provider always returns 0 and ''. */
  tip(): Promise<{ readonly height: number; readonly hash: string }>;
  /**
   * Prepares a payment at the provider: requests one, or only fills in and signs a form. Moves no money. The same reference (`to`)
   * gives the same payment, never a second one. Absent if customers pay to an address alone.
   */
  open?(request: OpenRequest): Promise<Opened>;
  /**
   * Takes a customer's entry (a voucher's number and code) as the payment, which is irrevocable. Called once for each entry, after
   * it is stored. `observe` then shows the payment; without a clear answer only `observe` decides.
   */
  redeem?(entry: Entry): Promise<Redeemed>;
  /**
   * Proves a provider's message from its raw bytes and headers, and returns its subject. A message is a hint, never money. Throws
   * if it can't be proven now because the provider doesn't answer: the provider must send the message again.
   */
  check?(webhook: Webhook): WebhookProof | Promise<WebhookProof>;
  /** Returns the answer that the provider expects for a stored message. Absent: an empty 200. */
  reply?(webhook: Webhook, proof: WebhookProof): { readonly type: string; readonly body: string };
}

/** Balances in the chain's own coin, in minor units, by address. */
export interface Lies {
  readonly currency: string;
  readonly height: number;
  readonly parts: ReadonlyMap<string, bigint>;
}

/** A payment to be prepared at a provider. */
export interface OpenRequest {
  readonly currency: string;
  /** Our reference, made by `instruct`: the provider stores it as its order id, and `observe` looks it up. */
  readonly to: string;
  readonly amount: Money;
  /** Purpose of the payment for people: shown on the provider's page. */
  readonly label: string;
  /** Pages to which the payer's browser returns. */
  readonly back: ReturnPages;
  readonly locale: 'en' | 'ru';
  /** Time after which nobody waits for the payment. */
  readonly until: Date;
  /** Values of `payerFields`. */
  readonly payer: Fields;
}

/** The customer's way to pay a prepared payment. */
export type PayWay =
  /** The customer leaves for the provider's page: by a link, or by a form that their browser posts. */
  | { readonly kind: 'redirect'; readonly method: 'GET' | 'POST'; readonly url: string; readonly fields: Fields }
  /** The customer enters a voucher bought elsewhere into these fields. */
  | { readonly kind: 'voucher'; readonly fields: readonly AccountField[] };

/** A prepared payment, or the reason why there is none. `id`: the provider's own id of the payment, passed to `observe`. */
export type Opened =
  | { readonly ok: true; readonly way: PayWay; readonly id?: string }
  /** `refused`: a retry can't help (a wrong account, a closed shop). `unavailable`: retried while an owner waits. */
  | { readonly ok: false; readonly reason: 'refused' | 'unavailable'; readonly detail: string };

export type Redeemed =
  | { readonly outcome: 'redeemed' }
  /** A definite refusal: nothing was taken. `wrong`: no such voucher, or a used one. */
  | { readonly outcome: 'refused'; readonly reason: 'wrong' | 'foreign' | 'unavailable'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** A provider's message, unchanged except that names of headers are in lower case. */
export interface Webhook {
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Proof of a message, with its subject: one of our references, or one of our sends. */
export interface WebhookProof {
  /** True if the provider sent the message. */
  readonly isProven: boolean;
  readonly to?: string;
  /** The provider's own id of the payment, as `open` returned it. */
  readonly id?: string;
  /** Reference of one of our attempts. */
  readonly sent?: string;
}

export interface Instruction {
  readonly to: string;
  readonly memo?: string;
}

export interface PayoutItem {
  /** Our own id of the payout: its reference at the rail, if the rail has references. */
  readonly id: string;
  readonly currency: string;
  readonly to: Fields;
  readonly parts: bigint;
}

/** One prepared send of one or many items. Its bytes are stored before anything leaves, and only they are sent again. */
export interface Attempt {
  readonly reference: string;
  readonly items: readonly string[];
  readonly raw: string;
  /** Spends of the attempt: inputs or a nonce. On a chain with neither, the transaction itself. */
  readonly spends: readonly string[];
  readonly nonce?: number;
  readonly changeIndex?: number;
  /** Fee of the send: exact (bitcoin), or a maximum if the attempt has a nonce (EVM chains) or `isMaximum`. */
  readonly fee: { readonly currency: string; readonly parts: bigint; readonly isMaximum?: true };
  /** Time by the chain's clock after which the transaction can't be mined. */
  readonly expiresAt?: Date;
  /** The rail's id of the accepted send: the `txid` of `Sent` and `Found`, passed back if known. */
  readonly txid?: string;
}

export type Prepared =
  | { readonly ok: true; readonly attempt: Attempt }
  /**
   * The items can't be sent now, and no attempt was made: no float, a fee above the cap, or a refusal of the signer. `refused`:
   * the network says that such a transfer must fail (a blocked receiver), so nothing was signed and no nonce was used.
   * `unrecorded`: our account has a send that the given state doesn't have. `busy`: another payout must end first.
   */
  | {
      readonly ok: false;
      readonly reason: 'no_float' | 'no_fuel' | 'fee_cap' | 'refused' | 'signer_refused' | 'unavailable' | 'unrecorded' | 'busy';
      readonly detail: string;
      /** True if the signer gave no usable answer, so signed bytes may exist. */
      readonly mayBeSigned?: true;
    };

/** Number and code of a voucher, bought as a customer's payout. Stored sealed, and shown only to the customer. */
export type VoucherCode = Fields;

export type Sent =
  | { readonly outcome: 'accepted'; readonly txid: string; readonly voucher?: VoucherCode }
  /** A definite refusal by the provider of this reference: nothing of this request moves. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /**
   * The reference was used already: by our send, or by another person's if the reference is only a number. This is no refusal:
   * such a send never counts as absent.
   */
  | { readonly outcome: 'exists'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

export type Found =
  | { readonly outcome: 'pending'; readonly txid: string; readonly voucher?: VoucherCode }
  | {
      /** On a chain: in a block. At a provider: executed (`ok`), or returned to us after that (`ok: false`). */
      readonly outcome: 'mined';
      readonly txid: string;
      readonly voucher?: VoucherCode;
      readonly height: number;
      readonly confirmations: number;
      readonly isFinalised: boolean;
      readonly ok: boolean;
      readonly fee: bigint;
      /** Amount of a return, in minor units; absent: all. `isBorneByReceiver`: the receiver bears the missing part. */
      readonly back?: { readonly parts: bigint; readonly isBorneByReceiver?: true };
    }
  /**
   * The send was not found. `isConclusive`: it can never happen, since another final transaction has used its spend, or it has
   * expired and no reorg can change that.
   */
  | { readonly outcome: 'absent'; readonly isConclusive: boolean };

/** Proof that a rail can give of a send, by its provider's documents. */
export interface Proof {
  /**
   * Proof that the look-up gives.
   * - `presence and absence`: a send happened, or can never happen. It can happen only once, so absent bytes may always be sent
   *   again (chains).
   * - `presence`: only that a send happened.
   * - `nothing`: the found send may be another one; people decide by the provider's statement.
   */
  readonly lookUp: 'presence and absence' | 'presence' | 'nothing';
  /** Minutes for which the provider promises to refuse a repeated reference; 0: no promise. */
  readonly dedupeMinutes: number;
}

export interface Payout {
  /** Maximum number of items in one attempt: 1 for account chains, many for bitcoin. */
  readonly batch: number;
  /** Returns the proof that is possible for an attempt. One rail may have several kinds of requests. */
  proof(attempt: Pick<Attempt, 'raw'>): Proof;
  /** Makes and signs one attempt for the items. Reads the network and uses the signer, but moves no money. */
  prepare(items: readonly PayoutItem[], state: WalletState): Promise<Prepared>;
  /** Sends a stored attempt. Sending the same bytes again is always safe. */
  send(attempt: Attempt): Promise<Sent>;
  /** Looks a stored attempt up. Throws if the rail can't be read. */
  find(attempt: Attempt): Promise<Found>;
  /** Returns the transaction that excludes an attempt; undefined if the chain can't tell. Absent if a send can only expire. */
  ruledOutBy?(attempt: Attempt): Promise<string | undefined>;
  /** Takes back a payout unclaimed for days (PayPal), or an unopened voucher. `find` then shows the outcome. */
  recall?(attempt: Attempt): Promise<void>;
  /** Makes a replacement with a shared spend, a higher fee and the same payments to others, or a child transaction. */
  bump?(attempt: Attempt, state: WalletState): Promise<Prepared>;
  /** Returns earlier signed attempts of payouts, oldest first, to send the same bytes after a crash. Absent: nothing is signed. */
  signedBefore?(payouts: readonly string[], state: WalletState): Promise<readonly Attempt[]>;
  /**
   * Returns sends from our own account, to compare them with the books. A missing send proves nothing. Throws if the sends can't
   * be read. Absent if the rail has no list of sends.
   */
  ownSends?(request: OwnSendsRequest): Promise<OwnSends>;
  /** Returns the current network fee of sending one item, in the fuel currency, for the price breakdown. */
  estimate(currency: string): Promise<{ readonly currency: string; readonly parts: bigint }>;
  /** Returns the network fee for a given account. Present if the account changes it (on TRON a new holder costs twice as much). */
  estimateFor?(currency: string, to: Fields): Promise<{ readonly currency: string; readonly parts: bigint }>;
}

/** Sweeps tokens from customers' deposit addresses into the hot wallet. */
export interface Sweep {
  /** Returns the deposit addresses with a balance worth sweeping. */
  holdings(
    indexes: readonly number[],
  ): Promise<{ readonly index: number; readonly currency: string; readonly parts: bigint; readonly fuelParts: bigint }[]>;
  /** Prepares a step for one address: `fuel` sends gas to it, `collect` moves its balance to the hot wallet. */
  prepare(
    index: number,
    currency: string,
    step: 'fuel' | 'collect',
    state: WalletState,
  ): Promise<Prepared & { readonly parts?: bigint }>;
}

/** A rail's requests to the process that holds the keys, which checks each of them. */
export interface Signer {
  /**
   * Signs a transaction of a rail. `payouts`: ids of the payouts in its outputs. The signer itself reads them from the database,
   * and refuses any output that is no approved payout and pays none of our own addresses.
   */
  sign(request: {
    readonly rail: string;
    readonly unsigned: string;
    readonly payouts: readonly string[];
    readonly purpose: 'payout' | 'fuel' | 'sweep';
    readonly index?: number;
  }): Promise<
    | { readonly ok: true; readonly raw: string; readonly txid: string }
    /** `spends`: spends of an earlier signed attempt for these payouts; a new one must share one of them. */
    | { readonly ok: false; readonly reason: string; readonly spends?: readonly string[] }
  >;
  /** Returns the signer's earlier signatures for these payouts, oldest first. */
  signed?(rail: string, payouts: readonly string[]): Promise<readonly SignedEntry[]>;
}
