/**
 * The signing part of a rail, used only by the signer process. API and worker have `PublicKeys` and a `Signer`.
 *
 * - **Reading**: the effect of an unsigned transaction, decoded by its own rail and never described by the caller.
 * - **Spend**: an input `txid:vout` or a nonce `chainId:address:nonce` that a transaction uses up permanently. Of two
 *   transactions that share a spend at most one can ever be mined. A TRON transaction has neither: its one spend is
 *   `address:txid:expiration`, which excludes no other transaction.
 */
import type { Fields, Prepared, Signer } from './rail.ts';
import type { SignedEntry } from './signed-entry.ts';

/** Content of `KURS_DATA/keys/public.json`, which the signer writes at its first start for all processes to read. */
export interface PublicKeys {
  readonly bitcoin: {
    /** The key of `m/84'/c'/0'`; deposits are `/0/i`, change `/1/i`. */
    readonly xpub: string;
    /** The fingerprint of the master key, 8 hexadecimal digits. */
    readonly fingerprint: string;
    readonly path: string;
    readonly network: string;
  };
  readonly tron: {
    /** The key of `m/44'/195'/0'/0`; deposits are its children. */
    readonly xpub: string;
    /** The hot wallet, `m/44'/195'/1'/0/0`. */
    readonly hot: string;
  };
  readonly evm: {
    /** The key of `m/44'/60'/0'/0`; deposits are its children. */
    readonly xpub: string;
    /** The hot wallet, `m/44'/60'/1'/0/0`, with its EIP-55 checksum. */
    readonly hot: string;
  };
}

export type SignRequest = Parameters<Signer['sign']>[0];

/** The signer's state. `stopped`: the reason why it signs nothing, if so. `alarms`: its alarms of the last hour. */
export interface SignerHealth {
  readonly stopped?: string | undefined;
  readonly alarms: readonly string[];
  /** Signatures that the database doesn't know: nothing is signed for these rails until people have decided. */
  readonly unexplained?: readonly UnexplainedLine[];
}

/** A line of the signer's journal that the database doesn't explain. */
export type UnexplainedLine = Pick<SignedEntry, 'at' | 'rail' | 'txid' | 'payouts' | 'spends' | 'pays'>;

export type SignAnswer = Awaited<ReturnType<Signer['sign']>>;

/** One payment of a transaction, in minor units. `own`: kind of our own address that it pays; absent: somebody else's. */
export interface ReadOutput {
  readonly currency: string;
  /** The receiver, spelled exactly as `SigningRail.account` spells it. */
  readonly to: string;
  readonly parts: bigint;
  readonly own?: 'change' | 'hot' | 'deposit';
}

export interface Reading {
  readonly outputs: readonly ReadOutput[];
  readonly spends: readonly string[];
  /** The network's fee: exact (bitcoin) or a maximum (account chains). */
  readonly fee: { readonly currency: string; readonly parts: bigint };
}

/** A rail's part in the signer: made from the seed, it reads and signs its own transactions. */
export interface SigningRail {
  readonly id: string;
  /** Maximum that one transaction may pay the network, in minor units of its fuel currency. */
  readonly maxFee: bigint;
  /** Decodes a transaction completely. Throws `Unreadable` for anything that this rail would never build. */
  read(request: SignRequest): Reading;
  /** Returns the spelling of a payout's receiver in a `Reading`; undefined if the fields name no account. */
  account(currency: string, fields: Fields): string | undefined;
  /**
   * Returns true if an earlier signed transaction with these spends can never be mined, according to the chain and not to the
   * caller. Throws if the chain doesn't answer. Absent if transactions don't expire.
   */
  isOver?(spends: readonly string[]): Promise<boolean>;
  /** Signs a transaction that `read` accepted. Deterministic: the same input gives the same bytes. */
  sign(request: SignRequest): SignedBytes | Promise<SignedBytes>;
}

export interface SignedBytes {
  readonly raw: string;
  readonly txid: string;
}

/** The rail would never build this transaction. The message has the reason. */
export class Unreadable extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'Unreadable';
  }
}

/** Prefix of a refusal's reason if journal and database don't match. */
export const UNEXPLAINED = 'unexplained';

/** Requests a signature. Returns a refusal as `Prepared`; a temporary one, or no answer, is `unavailable`. */
export async function askSigner(
  signer: Signer,
  request: SignRequest,
): Promise<{ readonly ok: true; readonly raw: string; readonly txid: string } | Extract<Prepared, { ok: false }>> {
  const answer = await signer.sign(request).catch((error: unknown) => ({
    ok: false as const,
    reason: `unavailable: ${error instanceof Error ? error.message : 'no answer'}`,
  }));
  if (answer.ok) return answer;
  const passes = answer.reason.startsWith('unavailable') || answer.reason.startsWith('spend_taken');
  const isUnexplained = answer.reason.startsWith(UNEXPLAINED);
  return {
    ok: false,
    reason: isUnexplained ? 'unrecorded' : passes ? 'unavailable' : 'signer_refused',
    detail: `The signer: ${answer.reason}`,
    ...(answer.reason.startsWith('unavailable') && { mayBeSigned: true as const }),
  };
}
