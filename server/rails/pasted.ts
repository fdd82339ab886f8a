import { findLookAlike, hasUnseen, turnsRound, withoutEdges } from '@kurs/money';
import type { AccountCheck, Fields } from './rail.ts';

/**
 * Reads text that people paste into account fields: an account, a payment link of a wallet or a scanner (BIP 21, BIP 321, EIP-681,
 * ERC-3770, CAIP-10), and invisible characters. Every rail uses it before it decodes an account.
 */

/** Names of the field's network in links. */
export interface OwnLinks {
  /** Schemes in small letters: `bitcoin`. */
  readonly schemes: readonly string[];
  /** Chain ids that a payment link may name; only for chains like Ethereum. */
  readonly chains?: readonly number[];
  /** True if links of another kind of chain may call a contract. */
  readonly hasContracts?: true;
}

type Refused = Extract<AccountCheck, { ok: false }>;

/** The account in a pasted text, or the problem with it. `says`: values for the placeholders of the problem's words. */
export type Pasted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: Refused['problem']; readonly says?: Fields };

const NO_LINKS: OwnLinks = { schemes: [] };

/** Reads a pasted text, with the names of the field's own network in links. Decodes nothing and uses no network. */
export function readPasted(pasted: string, own: OwnLinks = NO_LINKS): Pasted {
  const text = withoutEdges(pasted);
  const [, scheme, rest] = LINK.exec(text) ?? [];
  // A link's description of its payment, such as a label, may be in any language.
  const front = scheme === undefined ? text : (text.split(/[?#]/, 1)[0] ?? '');
  // A text with reversed characters differs from the text that was seen.
  if (turnsRound(pasted) || hasUnseen(front)) return { ok: false, problem: 'hidden_character' };
  const alike = findLookAlike(front);
  if (alike) return { ok: false, problem: 'look_alike', says: { ...alike } };
  if (scheme === undefined || rest === undefined) return { ok: true, text };
  return readLink(scheme.toLowerCase(), rest, own);
}

/** Reads one field of an account as `readPasted` does. A refusal names the field. */
export function readField(field: string, fields: Fields, own?: OwnLinks): { ok: true; text: string } | Refused {
  const pasted = readPasted(fields[field] ?? '', own);
  return pasted.ok ? pasted : { ...pasted, field };
}

/** A scheme and its content. "BTC: …", with a space after the colon, is a sentence and no link. */
const LINK = /^([a-z][a-z0-9+.-]{0,30}):(?:\/\/)?(?=\S)([^]*)$/i;

/** Schemes of links, by the network's name for people. Short names of chains are from ERC-3770. */
const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  'Arbitrum One': ['arb1'],
  Avalanche: ['avax'],
  Base: ['base'],
  Bitcoin: ['bitcoin'],
  'Bitcoin Cash': ['bitcoincash', 'bchtest'],
  'BNB Smart Chain': ['bnb', 'bsc', 'smartchain'],
  Cardano: ['cardano', 'web+cardano'],
  Cosmos: ['cosmos'],
  Dash: ['dash'],
  Dogecoin: ['doge', 'dogecoin'],
  Ethereum: ['eth', 'ethereum'],
  'Ethereum Classic': ['etc'],
  Gnosis: ['gno'],
  Lightning: ['lightning'],
  Liquid: ['liquidnetwork'],
  Litecoin: ['litecoin'],
  Monero: ['monero'],
  Optimism: ['oeth'],
  Polygon: ['matic', 'polygon'],
  Solana: ['solana'],
  Stellar: ['stellar', 'web+stellar'],
  TON: ['ton'],
  TRON: ['tron'],
  'XRP Ledger': ['ripple', 'xrpl'],
  Zcash: ['zcash'],
};
const KNOWN: ReadonlyMap<string, string> = new Map(
  Object.entries(SCHEMES).flatMap(([name, schemes]) => schemes.map((scheme) => [scheme, name])),
);

/** Chains like Ethereum, by their chain ids (chainlist of ethereum-lists). */
const CHAINS: Readonly<Record<string, string>> = {
  1: 'Ethereum',
  10: 'Optimism',
  56: 'BNB Smart Chain',
  61: 'Ethereum Classic',
  100: 'Gnosis',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum One',
  43114: 'Avalanche',
};

/** Parameters of links that call a contract or name a second receiver: then the first address is not the receiver. */
const OF_CALLS = new Set([
  ...['address', 'to', 'recipient', 'receiver', 'uint256', 'amounts', 'data', 'calldata', 'function', 'method'],
  ...['contract', 'contractaddress', 'spender', 'spl-token'],
]);

function readLink(scheme: string, rest: string, own: OwnLinks): Pasted {
  if (scheme === 'http' || scheme === 'https') return { ok: false, problem: 'web_page' };
  const { schemes, chains, hasContracts } = own;
  const isChained = scheme === 'eip155' && chains !== undefined;
  if (!isChained && !schemes.includes(scheme)) {
    const known = KNOWN.get(scheme);
    return known === undefined ? { ok: false, problem: 'unknown_link' } : elsewhere(known);
  }
  const [whole = ''] = rest.split('#');
  const [path = '', ...queries] = whole.split('?');
  const [body = '', ...steps] = path.split('/');
  const names = queries.flatMap((query) => query.split('&')).map(nameOf);
  if (steps.some((step) => step !== '') || names.some((name) => OF_CALLS.has(name)))
    return { ok: false, problem: chains || hasContracts ? 'contract_call' : 'unknown_link' };
  if (names.some((name) => name.startsWith('req-'))) return { ok: false, problem: 'unknown_link' };
  const named = networkNamed(queries, own);
  if (named !== undefined) return elsewhere(named);
  const { account, chain = chains && valueOf(queries, 'chainid') } = chains
    ? chainedAccount(scheme, body)
    : { account: body, chain: undefined };
  if (account === '') return { ok: false, problem: 'unknown_link' };
  if (chain === undefined) return { ok: true, text: account };
  // EIP-681 writes the chain id in decimal; some wallets write it in hexadecimal.
  if (!/^(?:\d{1,15}|0x[0-9a-f]{1,12})$/i.test(chain)) return { ok: false, problem: 'unknown_link' };
  const number = String(BigInt(chain.toLowerCase()));
  if (chains?.some((own) => String(own) === number)) return { ok: true, text: account };
  return elsewhere(CHAINS[number] ?? `EVM ${number}`);
}

const elsewhere = (other: string): Pasted => ({ ok: false, problem: 'other_link', says: { other } });

/** Reads the account and the chain id of a link for chains like Ethereum: `pay-0x…@1` (EIP-681), `1:0x…` (CAIP-10). */
function chainedAccount(scheme: string, body: string): { account: string; chain: string | undefined } {
  if (scheme === 'eip155') {
    const [chain = '', account = ''] = body.split(':');
    return { account, chain };
  }
  const [account = '', ...chain] = body.replace(/^pay-/i, '').split('@');
  return { account, chain: chain.length === 0 ? undefined : chain.join('@') };
}

/** Returns the other network that a link names in a parameter, such as `?network=polygon`; undefined if it names none. */
function networkNamed(queries: readonly string[], { schemes, chains }: OwnLinks): string | undefined {
  const said = valueOf(queries, 'network') ?? valueOf(queries, 'chain');
  const named = said === undefined ? undefined : KNOWN.get(said);
  const own = chains ? chains.map((chain) => CHAINS[chain]) : schemes.map((scheme) => KNOWN.get(scheme));
  return own.includes(named) ? undefined : named;
}

/** Returns the value of a parameter, in small letters, or undefined. */
function valueOf(queries: readonly string[], name: string): string | undefined {
  const parameter = queries.flatMap((query) => query.split('&')).find((one) => nameOf(one) === name);
  return parameter?.split('=')[1]?.toLowerCase();
}

function nameOf(parameter: string): string {
  const [name = ''] = parameter.split('=');
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return 'req-unreadable';
  }
}
