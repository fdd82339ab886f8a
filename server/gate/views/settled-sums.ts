import type { Output, Routes } from '@kurs/contract';
import type { Invoice } from '../invoices/invoice.ts';
import { unitMoney } from '../wire/amounts.ts';

/** Returns what the store received of an invoice and the desk's fees, by unit. */
export function settledSums({ payments }: Invoice): Pick<Output<Routes['storeInvoice']>, 'received' | 'fees'> {
  const [received, fees] = [new Map<string, bigint>(), new Map<string, bigint>()];
  for (const { booked } of payments) {
    if (booked?.fee === undefined) continue;
    received.set(booked.unit, (received.get(booked.unit) ?? 0n) + booked.set - booked.fee);
    fees.set(booked.unit, (fees.get(booked.unit) ?? 0n) + booked.fee);
  }
  const wire = (sums: ReadonlyMap<string, bigint>) => [...sums].map(([unit, parts]) => unitMoney(unit, parts));
  return { received: wire(received), fees: wire(fees) };
}
