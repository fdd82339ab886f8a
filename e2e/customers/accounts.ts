import type { Client } from '@kurs/contract/client';

type Currencies = Awaited<ReturnType<Client['currencies']>>;
type Fields = Record<string, string>;

/** Accounts of the sandbox's customer that an order of a direction requires. */
export interface Accounts {
  readonly receive: Fields;
  readonly refund: Fields;
  /** Account that the payout goes to. Empty if the order's page shows what was bought (a voucher). */
  readonly receiver: string;
}

let known: Promise<Currencies> | undefined;

/** Returns new accounts of the sandbox's customer at both rails of a direction, in the fields that the API names. */
export async function freshAccounts(client: Client, { from, to }: { from: string; to: string }): Promise<Accounts> {
  known ??= client.currencies({});
  const currencies = await known;
  const of = (code: string): Currencies[number] => {
    const found = currencies.find((currency) => currency.code === code);
    if (!found) throw new Error(`No currency ${code}`);
    return found;
  };
  const [receive, refund] = await Promise.all([fill(client, to, of(to).fields), fill(client, from, of(from).payer_fields)]);
  return { receive, refund, receiver: Object.values(receive)[0] ?? '' };
}

async function fill(client: Client, currency: string, fields: Currencies[number]['fields']): Promise<Fields> {
  const filled: Fields = {};
  for (const { name, required } of fields) {
    if (required) filled[name] = (await client.sandboxAddress({ currency })).address;
  }
  return filled;
}
