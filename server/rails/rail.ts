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
 * The one interface of everything that moves money outside. A rail describes its currencies, makes pay-in
 * instructions, observes payments, sends and looks up payouts, and says what it holds. What a provider can't do is
 * absent, never a method that throws. A rail has no database: what must be remembered is handed in and given back.
 *
 * - **Instruction**: where and how a customer pays. **Observed payment**: a payment as the rail shows it now.
 * - **Attempt**: one prepared send (a signed transaction, a request with our reference), stored before it leaves.
 * - **Standing**: how final an observed payment is. A reorg and a chargeback are the same event: it is gone.
 */
export interface Rail {
  readonly id: string;
  /** `chain`: a network with blocks · `provider`: a company that keeps the accounts itself. */
  readonly kind: 'chain' | 'provider';
  readonly currencies: readonly RailCurrency[];
  /** Addresses to which customers' browsers post its forms: a page's policy has to name their origins. */
  readonly forms?: readonly string[];
  readonly payin?: Payin;
  readonly payout?: Payout;
  readonly sweep?: Sweep;
  /** Present if receiving addresses are derived from our keys, so that a chain can be scanned for all of them. */
  readonly scan?: Scan;
  /**
   * Returns the rail's own figures of held and payable money now, per currency and place. A wallet of many addresses needs the
   * state to know which ones to read; without it, it reads those of the last successful call.
   */
  reserve(state?: WalletState): Promise<RailBalance[]>;
  /** Our own address or account for capital in a currency. Absent: the desk can't bring capital in. */
  ownAccount?(currency: string): string | undefined;
  health(): Promise<RailHealth>;
  /**
   * Returns the number of calls that this process has made of its server so far; it limits polls of addresses. Absent: calls are
   * not counted.
   */
  calls?(): number;
  close(): Promise<void>;
}

/** A currency in its rail. */
export interface RailCurrency {
  readonly code: string;
  readonly unit: string;
  /** The rail's own decimals (USDT on BSC: 18); received amounts are rounded down to the unit's. */
  readonly railScale: number;
  /** Digits of payments. */
  readonly payDigits: number;
  /** The network's name for people: `Bitcoin`, `Ethereum · ERC-20`. */
  readonly network: string;
  /** Fields of an account for payouts; empty if a payout needs no account (a voucher is shown to the customer). */
  readonly fields: readonly AccountField[];
  /**
   * Fields that a payer must fill in before paying in this currency: the account for a refund, or the account that they pay from.
   * Empty if the rail gives back to the source of a payment. Absent: the same as `fields`.
   */
  readonly payerFields?: readonly AccountField[];
  /** Smallest payment that is more than dust, in minor units. */
  readonly dust: bigint;
  /** Unit and custody currency of this rail's network fees (ETH for USDT_ERC20). */
  readonly fuel: string;
  /**
   * For a currency that itself pays network fees: the custody place that pays them. `hot`, the default: they come out of the sent
   * amount (bitcoin); `fuel`: out of a part of the hot wallet that the books set aside (`WalletState.fuel`).
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
 * - `unusable`: it has the form of an address, and nobody can spend from it.
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
  readonly up: boolean;
  /**
   * True if it isn't up because no usable answer came, which may be a moment's trouble. A refusal of the rail itself doesn't set
   * it.
   */
  readonly silent?: boolean;
  readonly height?: number;
  readonly detail: string;
}

export interface Payin {
  /** True if payments are shown only once they are in a block: between two blocks nothing changes. */
  readonly blocksOnly?: true;
  /** Validates the fields of a customer's account on this rail (by decoding, never by a pattern alone). No network. */
  checkAccount(currency: string, fields: Fields): AccountCheck;
  /** Returns our own receiving address of a number (`index` is never used twice). Pure: derived from a public key. */
  instruct(currency: string, index: number): Instruction;
  /**
   * Returns a link that opens a wallet (`bitcoin:…?amount=`). For a token it may call a contract; such a link is not for a code
   * to scan.
   */
  uri(currency: string, to: string, amount: Money): string;
  /**
   * Returns the content of a code to scan, if every wallet's scanner reads more than the bare address, such as the amount.
   * Absent: the bare address (docs/payment-codes.md).
   */
  code?(currency: string, to: string, amount: Money): string;
  /**
   * Returns all payments to these addresses of ours, with their present standing; amounts in minor units, rounded down. An
   * address that can't be read, or not completely, is reported to `unread` and fails alone: the payments read so far are
   * returned, the poll of the others goes on, and the next poll gets `readOn`. Impossible values (a field that is no amount, a
   * time that is none) are left out and logged. Throws only if nothing at all could be read.
   */
  observe(addresses: readonly ReceivingAddress[], unread?: (left: Unread) => void): Promise<ObservedPayment[]>;
  /**
   * Returns the outcome of payments that a poll no longer showed, one answer each, in their order. A payment is gone only by
   * evidence (`Evidence`). A payment that isn't found, in a list or by its id, is `unknown`: that proves nothing. Never throws
   * for one of them: if it can't be queried now, it is unknown too. Absent if the rail proves nothing: a provider itself reports
   * that it takes a payment back.
   */
  seek?(missing: readonly Missing[]): Promise<readonly Fate[]>;
  /**
   * Returns payments of a transaction (`hash`: small hex digits, no prefix) to an address. Throws if it is unknown. Absent for
   * providers.
   */
  paidBy?(place: Pick<ReceivingAddress, 'currency' | 'to'>, hash: string): Promise<PaidBy>;
  /**
   * Returns balances of our addresses in the chain's own coin, in final blocks, with the height of the newest of them. Present if
   * contracts can hand coin on, which no poll shows. Addresses that can't be queried are left out.
   */
  lies?(addresses: readonly string[]): Promise<Lies>;
  /**
   * Returns coin that contracts handed on to an address within blocks, both ends included, by traces of executed calls. Absent if
   * the operator's node is not configured to give any.
   */
  traced?(to: string, blocks: { readonly from: number; readonly to: number }): Promise<readonly HandedOn[]>;
  /**
   * Returns the newest block: number and hash. Payments polls again when it changes. A provider has no blocks: always the same.
   */
  tip(): Promise<{ readonly height: number; readonly hash: string }>;
  /**
   * Prepares a payment at the provider: requests one, or only fills in and signs a form. Moves no money. With the same reference
   * (`to`) it prepares the same payment again, never a second one. Absent if an address is enough.
   */
  open?(request: OpenRequest): Promise<Opened>;
  /**
   * Takes a customer's entry (a voucher's number and code) as the payment: the irrevocable action. Called once for each entry,
   * which is stored beforehand. Without a clear answer only `observe` decides. `observe` then shows its worth.
   */
  redeem?(entry: Entry): Promise<Redeemed>;
  /**
   * Proves a provider's message from its raw bytes and headers, and returns its subject. It is a hint, never money. Throws if it
   * can't be proven now (the provider doesn't answer): the message must then be sent again.
   */
  check?(webhook: Webhook): WebhookProof | Promise<WebhookProof>;
  /** Answer that the provider expects for a stored message. Absent: an empty 200. */
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
  /** Our reference, as `instruct` made it: the provider stores it as its order id, and `observe` looks it up. */
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
  /** The customer enters something bought elsewhere: the fields to fill in. */
  | { readonly kind: 'voucher'; readonly fields: readonly AccountField[] };

/** `id`: the provider's own name of the payment, stored and passed to `observe`. */
export type Opened =
  | { readonly ok: true; readonly way: PayWay; readonly id?: string }
  /** `refused`: it will never be prepared (a wrong account, a closed shop). Otherwise it is tried again while somebody waits. */
  | { readonly ok: false; readonly reason: 'refused' | 'unavailable'; readonly detail: string };

export type Redeemed =
  | { readonly outcome: 'redeemed' }
  /** A definite refusal: nothing was taken. `wrong`: no such voucher, or it is used up. */
  | { readonly outcome: 'refused'; readonly reason: 'wrong' | 'foreign' | 'unavailable'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** A provider's message as it came. `headers` in lower case. */
export interface Webhook {
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** True if it is the provider's, with its subject: one of our addresses, or one of our sends. */
export interface WebhookProof {
  readonly proven: boolean;
  readonly to?: string;
  /** The provider's own name of the payment, as `open` returned it: an address's `id`. */
  readonly id?: string;
  /** The reference of an attempt of ours. */
  readonly sent?: string;
}

export interface Instruction {
  readonly to: string;
  readonly memo?: string;
}

export interface PayoutItem {
  /** Our own id of the intent: the reference for the rail, if it has references. */
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
  /** Spends of the attempt: inputs or a nonce. On a chain with neither, the single possibility of these bytes. */
  readonly spends: readonly string[];
  readonly nonce?: number;
  readonly changeIndex?: number;
  /** The network's fee in the fuel currency: exact (bitcoin) or a maximum (account chains; `isMaximum` without a nonce). */
  readonly fee: { readonly currency: string; readonly parts: bigint; readonly isMaximum?: true };
  /** Time of the chain's own clock after which the transaction can no longer happen. */
  readonly expiresAt?: Date;
  /** The rail's name for it once accepted: the `txid` of `Sent` and `Found`, passed back if known. */
  readonly txid?: string;
}

export type Prepared =
  | { readonly ok: true; readonly attempt: Attempt }
  /**
   * These items can't be sent now and nothing was made: no float, a fee above the cap, or a refusal of the signer. `refused`: the
   * network answers that such a transfer must fail (a blocked receiver), so nothing was signed and no nonce is taken.
   * `unrecorded`: our account has a send that the given state doesn't know.
   */
  | {
      readonly ok: false;
      readonly reason: 'no_float' | 'no_fuel' | 'fee_cap' | 'refused' | 'signer_refused' | 'unavailable' | 'unrecorded';
      readonly detail: string;
      /** The signer gave no usable answer: signed bytes may exist. */
      readonly maybeSigned?: true;
    };

/**
 * A payout's result for the customer: a voucher's number and code. Stored sealed, and shown to anyone who proves to be the
 * customer.
 */
export type VoucherCode = Fields;

export type Sent =
  | { readonly outcome: 'accepted'; readonly txid: string; readonly voucher?: VoucherCode }
  /** A definite refusal by the provider of this reference: nothing of this request moves. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /**
   * The reference was used already: a send of ours exists under it at the provider, or another's if it is only a number. It is no
   * refusal: such a send never counts as absent.
   */
  | { readonly outcome: 'exists'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

export type Found =
  | { readonly outcome: 'pending'; readonly txid: string; readonly voucher?: VoucherCode }
  | {
      /** On a chain in a block; of a provider: done (`ok`), or returned to us after it was done (`ok: false`). */
      readonly outcome: 'mined';
      readonly txid: string;
      readonly voucher?: VoucherCode;
      readonly height: number;
      readonly confirmations: number;
      readonly finalised: boolean;
      readonly ok: boolean;
      readonly fee: bigint;
      /**
       * For a return: the amount that came back, in minor units; absent: all. `byReceiver`: the receiver bears the missing part.
       */
      readonly back?: { readonly parts: bigint; readonly byReceiver?: true };
    }
  /**
   * Not there. `conclusive`: it can never happen any more (another, final transaction has spent its inputs or nonce, or it has
   * expired beyond any reorg).
   */
  | { readonly outcome: 'absent'; readonly conclusive: boolean };

/** Proof that a rail can give of a send, from its provider's documents. */
export interface Proof {
  /**
   * Proof by its look-up. `presence and absence`: that a send happened, and that it can never happen any more; a send can then
   * happen only once, so the same bytes may be sent whenever they are not there (chains). `presence`: only that it happened.
   * `nothing`: a found send may be another's; people decide by the provider's own statement.
   */
  readonly lookUp: 'presence and absence' | 'presence' | 'nothing';
  /** Minutes for which the provider refuses a repeated reference; 0: no promise. */
  readonly dedupeMinutes: number;
}

export interface Payout {
  /** Maximum number of items in one attempt: 1 for account chains, many for bitcoin. */
  readonly batch: number;
  /** Proof that is possible for this attempt (one rail may have several kinds of request). */
  proof(attempt: Pick<Attempt, 'raw'>): Proof;
  /** Makes and signs one attempt for these items. Reads the network and uses the signer, without an effect at the rail. */
  prepare(items: readonly PayoutItem[], state: WalletState): Promise<Prepared>;
  /** Sends a stored attempt. Sending the same bytes again is always safe. */
  send(attempt: Attempt): Promise<Sent>;
  /** Looks a stored attempt up. */
  find(attempt: Attempt): Promise<Found>;
  /** Returns the transaction that excludes an attempt; undefined if the chain can't tell. Absent if only time ends a send. */
  ruledOutBy?(attempt: Attempt): Promise<string | undefined>;
  /**
   * Takes back a payout that nobody has claimed for days (PayPal), or a voucher that nobody has opened. `find` then shows the
   * outcome.
   */
  recall?(attempt: Attempt): Promise<void>;
  /** Makes a replacement that spends the same input or nonce with a higher fee and the same outputs, or a child. */
  bump?(attempt: Attempt, state: WalletState): Promise<Prepared>;
  /**
   * Returns earlier signatures for these payouts, oldest first: after a crash the same bytes are sent. Absent: nothing is signed.
   */
  signedBefore?(payouts: readonly string[], state: WalletState): Promise<readonly Attempt[]>;
  /**
   * Returns sends from our own account, for a comparison with the books. A missing send proves nothing. Throws if they can't be
   * read. Absent if the rail has no list of them.
   */
  ownSends?(request: OwnSendsRequest): Promise<OwnSends>;
  /** Returns the current cost of sending one item, for the price line: network fee in the fuel currency. */
  estimate(currency: string): Promise<{ readonly currency: string; readonly parts: bigint }>;
  /** Returns the same for a given account, if the account decides the cost (TRON to a new holder costs twice). */
  estimateFor?(currency: string, to: Fields): Promise<{ readonly currency: string; readonly parts: bigint }>;
}

/** Sweeps tokens from customers' deposit addresses into the hot wallet. */
export interface Sweep {
  /** Returns the deposit addresses with a balance worth sweeping. */
  holdings(
    indexes: readonly number[],
  ): Promise<{ readonly index: number; readonly currency: string; readonly parts: bigint; readonly fuelParts: bigint }[]>;
  /** Makes the next step for one address: gas to the address, or the transfer to the hot wallet. */
  prepare(
    index: number,
    currency: string,
    step: 'fuel' | 'collect',
    state: WalletState,
  ): Promise<Prepared & { readonly parts?: bigint }>;
}

/** A rail's requests to the process that holds the keys. Each kind is checked separately. */
export interface Signer {
  /**
   * Signs an unsigned transaction of this rail. `payouts` are the ids of the payouts in its outputs: the signer itself reads them
   * from the database and refuses any output that is no approved payout, own change or sweep to ourselves.
   */
  sign(request: {
    readonly rail: string;
    readonly unsigned: string;
    readonly payouts: readonly string[];
    readonly purpose: 'payout' | 'fuel' | 'sweep';
    readonly index?: number;
  }): Promise<
    | { readonly ok: true; readonly raw: string; readonly txid: string }
    /** `spends`: inputs or nonces of an earlier signed attempt for these payouts; a new one must share one of them. */
    | { readonly ok: false; readonly reason: string; readonly spends?: readonly string[] }
  >;
  /** Returns the signer's earlier signatures for these payouts, oldest first. */
  signed?(rail: string, payouts: readonly string[]): Promise<readonly SignedEntry[]>;
}
