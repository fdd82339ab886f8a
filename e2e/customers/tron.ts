/** Addresses of a TRON node with its index, and of the token's contract. */
export interface Tron {
  readonly api: string;
  readonly contract: string;
}

export const isOnTron = (currency: string): boolean => currency === 'TRX' || currency === 'USDT_TRC20';

interface TokenRow {
  readonly from: string;
  readonly to: string;
  readonly value: string;
}

interface CoinRow {
  readonly raw_data: { readonly contract: readonly { readonly parameter: { readonly value: { readonly amount?: number } } }[] };
}

/** Fetches a list of an account's transactions (developers.tron.network, "TronGrid API"). */
async function list<T>({ api }: Tron, account: string, path: string): Promise<T[]> {
  const response = await fetch(`${api}/v1/accounts/${account}/${path}limit=200`);
  return ((await response.json()) as { data: T[] }).data;
}

const tokensOf = (tron: Tron, account: string): Promise<TokenRow[]> =>
  list<TokenRow>(tron, account, `transactions/trc20?contract_address=${tron.contract}&`);

/** Returns an account's balance in smallest units: TRX from the node, tokens as the sum of all transfers in and out. */
export async function tronOf(tron: Tron, currency: string, account: string): Promise<bigint> {
  if (currency === 'TRX') {
    const response = await fetch(`${tron.api}/wallet/getaccount`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: account, visible: true }),
    });
    return BigInt(((await response.json()) as { balance?: number }).balance ?? 0);
  }
  const rows = await tokensOf(tron, account);
  return rows.reduce((sum, { to, value }) => (to === account ? sum + BigInt(value) : sum - BigInt(value)), 0n);
}

/** Returns the sum of all transfers to an account, in smallest units. */
export async function tronTo(tron: Tron, currency: string, account: string): Promise<bigint> {
  if (currency === 'TRX') {
    const rows = await list<CoinRow>(tron, account, 'transactions?only_to=true&');
    return rows.reduce((sum, row) => sum + BigInt(row.raw_data.contract[0]?.parameter.value.amount ?? 0), 0n);
  }
  const rows = await tokensOf(tron, account);
  return rows.reduce((sum, { to, value }) => (to === account ? sum + BigInt(value) : sum), 0n);
}
