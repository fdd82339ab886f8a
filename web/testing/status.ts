import type { Output, Routes } from '@kurs/contract';

/** Returns a moment some seconds after another (before it, if negative), as the API writes it. */
export const soon = (now: Date, seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();

/** Returns the status of two rails: one that works, and one that doesn't answer and was down for an hour before. */
export function status(now: Date): Output<Routes['status']> {
  const days = (down: readonly number[]) =>
    Array.from({ length: 30 }, (_, index) => ({
      day: soon(now, (index - 29) * 86_400).slice(0, 10),
      watched: index < 4 ? 0 : 86_400,
      down: down[index] ?? 0,
    }));
  const rail = { on: true, since: soon(now, -7200), checked_at: soon(now, -2) };
  return {
    at: now.toISOString(),
    rails: [
      { rail: 'bitcoin', up: true, days: days([]), ...rail },
      { rail: 'evm', up: false, days: days([0, 0, 0, 0, 0, 0, 0, 3600, 0, 0, 0, 240]), ...rail },
    ],
    directions: [{ from: 'BTC', to: 'USDT_ERC20', slug: 'btc-usdt-erc20', orders: 214, median_minutes: 26, most_minutes: 48 }],
  };
}
