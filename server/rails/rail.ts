import type { ReturnPages } from '@kurs/contract';
import type { Money } from '@kurs/money';
import type { OwnSends, OwnSendsAsked, PaidBy, WalletState } from './own-account.ts';
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
  /** A network whose blocks tell what happened, or a provider that keeps the accounts itself. */
  readonly kind: 'chain' | 'provider';
  readonly currencies: readonly RailCurrency[];
  /** Addresses that customers' browsers post its forms to: a page's policy has to name their origins. */
  readonly forms?: readonly string[];
  readonly payin?: Payin;
  readonly payout?: Payout;
  readonly sweep?: Sweep;
  /** Present where receiving addresses are derived from our keys, so that a chain can be asked for all of them. */
  readonly scan?: Scan;
  /**
   * What the rail itself says is held and payable now, per currency and place. A wallet of many addresses needs the
   * state to know where to look; without it, it looks where it last worked.
   */
  reserve(state?: WalletState): Promise<RailBalance[]>;
  /** Our own address or account where the desk's money in a currency is sent to become its capital. Absent: nothing can be. */
  ownAccount?(currency: string): string | undefined;
  health(): Promise<RailHealth>;
  /**
   * How many calls this process has made of its server so far: how often addresses are looked at is bounded by that. Absent:
   * nobody counts.
   */
  calls?(): number;
  close(): Promise<void>;
}

/** A currency as its rail knows it. */
export interface RailCurrency {
  readonly code: string;
  readonly unit: string;
  /** The rail's own decimals (USDT on BSC: 18); what is received is rounded down to the unit's. */
  readonly railScale: number;
  /** Digits that payments are made with. */
  readonly payDigits: number;
  /** The name of the network as people know it: `Bitcoin`, `Ethereum · ERC-20`. */
  readonly network: string;
  /** What says where to pay to; none where a payout needs no account (a voucher is shown to the customer). */
  readonly fields: readonly AccountField[];
  /**
   * What is asked of anyone who pays in this currency, before paying: where a refund goes, or which account they pay from.
   * None where the rail gives back to where a payment came from. Absent: the same as `fields`.
   */
  readonly payerFields?: readonly AccountField[];
  /** The smallest payment that is more than dust, in unit parts. */
  readonly dust: bigint;
  /** The unit and custody currency that this rail's network fees are paid in (ETH for USDT_ERC20). */
  readonly fuel: string;
  /**
   * Of a currency that itself pays network fees: the custody place that they are paid from. `hot`, the default: they come
   * out of what is sent (bitcoin); `fuel`: out of a part of the hot wallet that the books set aside (`WalletState.fuel`).
   */
  readonly feesFrom?: 'hot' | 'fuel';
  /** The custody place where a pay-in arrives: `hot` when it is payable at once, `deposit` until swept. */
  readonly arrivesAt: 'hot' | 'deposit';
}

/** One thing that a customer tells about an account: `address`, `email`, `memo`. */
export interface AccountField {
  readonly name: string;
  /** A key of the contract's words. */
  readonly label: string;
  readonly type: 'address' | 'email' | 'text';
  readonly required: boolean;
  readonly pattern?: string;
}

/** A checked account: its canonical fields and one line that identifies it, or what is wrong with which field. */
export type AccountCheck =
  | { readonly ok: true; readonly fields: Fields; readonly key: string }
  | {
      readonly ok: false;
      readonly field: string;
      readonly problem: AccountProblem;
      /** What fills the blanks of the problem's words. */
      readonly says?: Fields;
      /** What was taken for the account, where something stood around it. */
      readonly read?: string;
    };

/**
 * - `unusable`: it has the form of an address, and nobody can spend from it.
 * - `other_link`: a payment link to another network; `contract_call`: one that asks a contract to move a token; `unknown_link`:
 *   one that names no account, or demands what we don't know; `web_page`: no payment link at all.
 * - `look_alike`: a letter of another alphabet; `hidden_character`: one that nobody sees.
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
  /** The part that can be sent now (confirmed, not already spent by us). */
  readonly payable: bigint;
  /** The rail's own word of when this was right, where it may be behind; absent: it says nothing of that. */
  readonly asOf?: Date;
}

export interface RailHealth {
  readonly up: boolean;
  /** Set where it isn't up because no usable answer came: that may be a moment's. A "no" of its own is none. */
  readonly silent?: boolean;
  readonly height?: number;
  readonly detail: string;
}

export interface Payin {
  /** A payment is shown once it is in a block, and not before: between two blocks nothing changes. */
  readonly blocksOnly?: true;
  /** Validates the fields of a customer's account on this rail (decoding, never a pattern alone). No network. */
  checkAccount(currency: string, fields: Fields): AccountCheck;
  /** Our own receiving address with a number of its own (`index` is never used twice). Pure: derived from a public key. */
  instruct(currency: string, index: number): Instruction;
  /** A link that opens a wallet (`bitcoin:…?amount=`); of a token it may be a contract's call, which is no code to scan. */
  uri(currency: string, to: string, amount: Money): string;
  /**
   * What a code to scan holds beside the bare address, where every wallet's scanner reads it: the amount too. Absent: the bare
   * address (docs/payment-codes.md).
   */
  code?(currency: string, to: string, amount: Money): string;
  /**
   * All payments to these addresses, with their standing now; addresses are ours, amounts in unit parts rounded down. An
   * address that can't be read, or not to its end, is told to `unread` and fails alone: what was read of it is shown, the
   * look at the others goes on, and the next look is handed `readOn`. What can't be (a field that is no amount, a time that
   * is none) is left out and logged. Throws only where nothing at all could be read.
   */
  observe(addresses: readonly ReceivingAddress[], unread?: (left: Unread) => void): Promise<ObservedPayment[]>;
  /**
   * What became of payments that a look did not show where they had stood, one answer each, in their order. A payment is
   * gone only by evidence (`Evidence`); that it isn't found, in a list or by its id, proves nothing and is `unknown`. Never
   * throws for one of them: what can't be asked now is unknown too. Absent where the rail proves nothing: a provider says by
   * itself when it takes a payment back.
   */
  seek?(missing: readonly Missing[]): Promise<readonly Fate[]>;
  /** Payments of a transaction (`hash`: small hex digits, no prefix) to an address. Throws if unknown. Absent at providers. */
  paidBy?(place: Pick<ReceivingAddress, 'currency' | 'to'>, hash: string): Promise<PaidBy>;
  /**
   * What lies at addresses of ours in the chain's own coin, in blocks that nothing changes any more, with the height of the
   * newest of them. Present where coin can come that no look shows, since a contract hands it on. An address that can't be
   * asked is left out.
   */
  lies?(addresses: readonly string[]): Promise<Lies>;
  /**
   * Coin that contracts handed on to an address within blocks, both ends included, by traces of what was carried out.
   * Absent where the operator's node is not said to give any.
   */
  traced?(to: string, blocks: { readonly from: number; readonly to: number }): Promise<readonly HandedOn[]>;
  /** The newest block: number and hash; payments re-observes when it changes. A provider has no blocks: always the same. */
  tip(): Promise<{ readonly height: number; readonly hash: string }>;
  /**
   * Prepares a payment at the provider: asks for one, or only fills in and signs a form. Moves no money. Asked again with
   * the same reference (`to`) it prepares the same payment, never a second one. Absent where an address is all it takes.
   */
  open?(request: OpenRequest): Promise<Opened>;
  /**
   * Takes what a customer entered (a voucher's number and code) as the payment: the irrevocable action. Called once for each
   * entry that is stored beforehand; after no clear answer only `observe` decides. `observe` then shows what it was worth.
   */
  redeem?(entry: Entry): Promise<Redeemed>;
  /**
   * Proves a provider's message from its raw bytes and headers, and says what it speaks of. It is a hint, never money. Throws
   * where nobody can say now (the provider is asked and doesn't answer): the message is to be sent again.
   */
  check?(webhook: Webhook): WebhookProof | Promise<WebhookProof>;
  /** What the provider wants to read in answer to a message that was kept. Absent: an empty 200. */
  reply?(webhook: Webhook, proof: WebhookProof): { readonly type: string; readonly body: string };
}

/** What lies at places in the chain's own coin, in parts of its unit, by place. */
export interface Lies {
  readonly currency: string;
  readonly height: number;
  readonly parts: ReadonlyMap<string, bigint>;
}

/** A payment to be prepared at a provider. */
export interface OpenRequest {
  readonly currency: string;
  /** Our reference, as `instruct` made it: what the provider carries as its order id, and what `observe` asks for. */
  readonly to: string;
  readonly amount: Money;
  /** What is paid for, as people know it: shown on the provider's page. */
  readonly label: string;
  /** Where the payer's browser comes back to. */
  readonly back: ReturnPages;
  readonly locale: 'en' | 'ru';
  /** After this nobody waits for the payment any more. */
  readonly until: Date;
  /** What `payerFields` asked for. */
  readonly payer: Fields;
}

/** How a customer pays what was prepared. */
export type PayWay =
  /** Leaves for the provider's page: a link, or a form that their browser posts. */
  | { readonly kind: 'redirect'; readonly method: 'GET' | 'POST'; readonly url: string; readonly fields: Fields }
  /** Enters what they have bought elsewhere: the fields to fill in. */
  | { readonly kind: 'voucher'; readonly fields: readonly AccountField[] };

/** `id`: the provider's own name of the payment, kept and handed back in `observe`. */
export type Opened =
  | { readonly ok: true; readonly way: PayWay; readonly id?: string }
  /** `refused`: it never will be (a wrong account, a closed shop). Else it is tried again until nobody waits any more. */
  | { readonly ok: false; readonly reason: 'refused' | 'unavailable'; readonly detail: string };

export type Redeemed =
  | { readonly outcome: 'redeemed' }
  /** A definite no: nothing was taken. `wrong`: no such voucher, or it is used up. */
  | { readonly outcome: 'refused'; readonly reason: 'wrong' | 'foreign' | 'unavailable'; readonly detail: string }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** A provider's message as it came. `headers` in lower case. */
export interface Webhook {
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Is it the provider's, and what does it speak of: one of our addresses, or one of our sends? */
export interface WebhookProof {
  readonly proven: boolean;
  readonly to?: string;
  /** The provider's own name of the payment, as `open` gave it: an address's `id`. */
  readonly id?: string;
  /** The reference of an attempt of ours. */
  readonly sent?: string;
}

export interface Instruction {
  readonly to: string;
  readonly memo?: string;
}

export interface PayoutItem {
  /** Our own id of the intent: the reference that the rail sees where it has one. */
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
  /** What it consumes for ever: inputs or a nonce; where a chain knows neither, the one chance of these very bytes. */
  readonly spends: readonly string[];
  readonly nonce?: number;
  readonly changeIndex?: number;
  /** The network's fee in the fuel currency: what it is (bitcoin) or at most is (account chains; `isMost` without a nonce). */
  readonly fee: { readonly currency: string; readonly parts: bigint; readonly isMost?: true };
  /** After this moment of the chain's own clock it can't happen any more. */
  readonly expiresAt?: Date;
  /** What the rail called it once it had accepted it: the `txid` of `Sent` and `Found`, handed back where it is known. */
  readonly txid?: string;
}

export type Prepared =
  | { readonly ok: true; readonly attempt: Attempt }
  /**
   * These items can't be sent now and nothing was made: no float, fee above the cap, the signer refused. `refused`: the
   * network says that such a transfer must fail (a blocked receiver), so nothing was signed and no nonce is taken.
   * `unrecorded`: our account has sent something that the given state doesn't know.
   */
  | {
      readonly ok: false;
      readonly reason: 'no_float' | 'no_fuel' | 'fee_cap' | 'refused' | 'signer_refused' | 'unavailable' | 'unrecorded';
      readonly detail: string;
      /** The signer was asked and gave no usable answer: somewhere there may be signed bytes. */
      readonly maybeSigned?: true;
    };

/**
 * What a payout made for the customer to have: a voucher's number and code. Kept sealed, shown to anyone who proves
 * themselves.
 */
export type VoucherCode = Fields;

export type Sent =
  | { readonly outcome: 'accepted'; readonly txid: string; readonly voucher?: VoucherCode }
  /** A definite no of the provider about this very reference: nothing of this request moves. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /**
   * The reference was used already: something stands under it at the provider, ours, or another's where it is only a number.
   * It is no "no": such a send never counts as absent.
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
      /** With a return: how much came back, in minor units; absent: all. `byReceiver`: the receiver bears what is missing. */
      readonly back?: { readonly parts: bigint; readonly byReceiver?: true };
    }
  /**
   * Not there. `conclusive`: it can never happen any more (its inputs or nonce are spent by another, final one, or it has
   * expired where no reorg reaches).
   */
  | { readonly outcome: 'absent'; readonly conclusive: boolean };

/** What a rail can prove of a send. Each states its own, from its provider's documents. */
export interface Proof {
  /**
   * What its look-up proves. `presence and absence`: that a send happened, and that it can never happen any more; what is sent
   * can then happen only once, so the same bytes may go out whenever they are not there (chains). `presence`: only that it
   * happened. `nothing`: what it shows may be another's; people decide by the provider's own statement.
   */
  readonly lookUp: 'presence and absence' | 'presence' | 'nothing';
  /** For so many minutes the provider refuses a reference that it has seen; 0: no promise. */
  readonly dedupeMinutes: number;
}

export interface Payout {
  /** Most items that one attempt carries: 1 for account chains, many for bitcoin. */
  readonly batch: number;
  /** What can be proven of this attempt (one rail may have several kinds of request). */
  proof(attempt: Pick<Attempt, 'raw'>): Proof;
  /** Makes and signs one attempt for these items. Network reads and the signer, no side effect at the rail. */
  prepare(items: readonly PayoutItem[], state: WalletState): Promise<Prepared>;
  /** Sends a stored attempt. Sending the same bytes again is always safe. */
  send(attempt: Attempt): Promise<Sent>;
  /** Looks a stored attempt up. */
  find(attempt: Attempt): Promise<Found>;
  /** The transaction that rules an attempt out; undefined where the chain can't say. Absent where only time ends a send. */
  ruledOutBy?(attempt: Attempt): Promise<string | undefined>;
  /** Takes back what nobody has claimed for days (PayPal), or looked at (a voucher). `find` then says what came of it. */
  recall?(attempt: Attempt): Promise<void>;
  /** A replacement that spends the same input or nonce with a higher fee and carries the same outputs, or a child. */
  bump?(attempt: Attempt, state: WalletState): Promise<Prepared>;
  /** What was signed before for these payouts, oldest first: after a crash the same bytes are sent. Absent: nothing is signed. */
  signedBefore?(payouts: readonly string[], state: WalletState): Promise<readonly Attempt[]>;
  /**
   * Sends from our own account, so that the books can be compared with them. That a send is not shown proves nothing. Throws
   * where they can't be read. Absent where the rail has no list of them.
   */
  ownSends?(asked: OwnSendsAsked): Promise<OwnSends>;
  /** What sending one item costs now, for the price line: network fee in the fuel currency. */
  estimate(currency: string): Promise<{ readonly currency: string; readonly parts: bigint }>;
  /** The same for one very account, where the account decides what it costs (TRON to a new holder costs twice). */
  estimateFor?(currency: string, to: Fields): Promise<{ readonly currency: string; readonly parts: bigint }>;
}

/** Collects tokens from customers' deposit addresses into the hot wallet. */
export interface Sweep {
  /** The deposit addresses that hold something worth sweeping. */
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

/** What a rail asks of the process that holds the keys. Kinds are told apart so that each can be checked by itself. */
export interface Signer {
  /**
   * Signs an unsigned transaction of this rail. `payouts` are the ids whose outputs it pays: the signer reads them
   * from the database by itself and refuses any output that is no approved payout, own change or sweep to ourselves.
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
  /** What it has signed before for these payouts, oldest first. */
  signed?(rail: string, payouts: readonly string[]): Promise<readonly SignedEntry[]>;
}
