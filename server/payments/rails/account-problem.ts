import type { AccountCheck } from '../../rails/index.ts';

/** Problems of an account that was pasted together with other text. Their messages are the same for all rails. */
const OF_PASTED: ReadonlySet<string> = new Set([
  ...['other_link', 'contract_call', 'unknown_link', 'web_page', 'look_alike', 'hidden_character'],
]);

/**
 * Returns the code of the message about a problem. If a payment system's account is malformed and its expected form is known, the
 * message names that form.
 */
function wordsOf(field: string, problem: Refused['problem'], says: Readonly<Record<string, string>>): string {
  if (OF_PASTED.has(problem)) return `pasted_${problem}`;
  if (field === 'address') return `address_${problem}`;
  if (field === 'email') return `mail_${problem}`;
  if (says['digits'] === undefined) return `account_${problem}`;
  return says['or'] === 'email' ? 'account_or_mail_form' : 'account_form';
}

type Refused = Extract<AccountCheck, { ok: false }>;

/** Networks by the form of their addresses. For Bitcoin the form also shows which chain it is. */
const SHAPES: readonly (readonly [shape: RegExp, network: string, chain?: string])[] = [
  [/^0x[0-9a-f]{40}$/i, 'Ethereum'],
  [/^bc1[02-9ac-hj-np-z]{8,87}$/i, 'Bitcoin', 'Bitcoin mainnet'],
  [/^[13][1-9A-HJ-NP-Za-km-z]{25,34}$/, 'Bitcoin', 'Bitcoin mainnet'],
  [/^tb1[02-9ac-hj-np-z]{8,87}$/i, 'Bitcoin', 'Bitcoin testnet'],
  [/^[mn2][1-9A-HJ-NP-Za-km-z]{25,34}$/, 'Bitcoin', 'Bitcoin testnet'],
  [/^(?:bcrt|rb)1[02-9ac-hj-np-z]{8,87}$/i, 'Bitcoin', 'Bitcoin regtest'],
  [/^T[1-9A-HJ-NP-Za-km-z]{33}$/, 'TRON'],
  [/^ltc1[02-9ac-hj-np-z]{8,87}$/i, 'Litecoin'],
  [/^[LM][1-9A-HJ-NP-Za-km-z]{25,34}$/, 'Litecoin'],
  [/^D[1-9A-HJ-NP-Za-km-z]{25,34}$/, 'Dogecoin'],
];

/**
 * Returns the message about an account that a rail refused: its key under `fields`, and the values of its placeholders. If the
 * address has the form of another network, the message names that network. If it has the form of another chain of the same
 * network (a test chain), the message names that chain.
 */
export function accountProblem(
  network: string,
  { field, problem, says = {}, read }: Refused,
): { readonly code: string; readonly params: Readonly<Record<string, string>> } {
  const plain = { code: wordsOf(field, problem, says), params: { network, ...says } };
  if (problem !== 'wrong_network') return plain;
  const text = read ?? '';
  const [, other, chain] = SHAPES.find(([shape]) => shape.test(text)) ?? [];
  if (other === undefined) return plain;
  if (!network.startsWith(other)) return { code: 'address_of_network', params: { network, other } };
  return chain === undefined ? plain : { code: 'address_of_chain', params: { network, other: chain } };
}
