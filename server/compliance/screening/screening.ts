import { log } from '../../platform/index.ts';
import { configured } from '../configure.ts';
import type { Risk, RiskLabel, ScreenedAccount, Screener } from './screener.ts';
import { settings } from '../settings.ts';

/**
 * Outcome of screening:
 * - `none`: no service is configured, so nothing was checked or held; the review says so
 * - `clear`: checked, and below the threshold
 * - `held`: a person must decide. `soft`: the cause is only the score or a label that is not hard, so the hold ends within 72 h
 */
export type Screened =
  | { readonly outcome: 'none' | 'clear' }
  | { readonly outcome: 'held'; readonly cause: 'score' | 'label' | 'silent'; readonly isSoft: boolean };

/** Returns true if a service is configured. */
export function screens(): boolean {
  return configured().screener !== undefined;
}

/**
 * Screens accounts. Queries the service, so don't call it within a transaction. If a configured service doesn't answer with one
 * risk for each account, the accounts are held.
 */
export async function screen(accounts: readonly ScreenedAccount[]): Promise<Screened> {
  const { screener } = configured();
  if (!screener) return { outcome: 'none' };
  const risks = await answer(screener, accounts);
  if (!risks) return { outcome: 'held', cause: 'silent', isSoft: false };
  const kinds = new Set(risks.flatMap(({ labels = [] }) => labels.map(kindOf)));
  if (kinds.has('hard')) return { outcome: 'held', cause: 'label', isSoft: false };
  if (kinds.has('soft')) return { outcome: 'held', cause: 'label', isSoft: true };
  const threshold = settings.get('compliance.risk_threshold');
  return risks.some(({ score }) => score >= threshold) ? { outcome: 'held', cause: 'score', isSoft: true } : { outcome: 'clear' };
}

/**
 * Returns the effect of a label: a hard hold if the service or the desk's settings say so, no hold if the settings say so,
 * otherwise a soft hold.
 */
function kindOf({ name, kind }: RiskLabel): 'hard' | 'soft' | 'none' {
  const isAmong = (names: readonly string[]): boolean => names.some((one) => one.toLowerCase() === name.trim().toLowerCase());
  if (kind === 'hard' || isAmong(settings.get('compliance.hard_labels'))) return 'hard';
  return isAmong(settings.get('compliance.harmless_labels')) ? 'none' : 'soft';
}

async function answer(screener: Screener, accounts: readonly ScreenedAccount[]): Promise<readonly Risk[] | undefined> {
  const signal = AbortSignal.timeout(settings.get('compliance.screening_seconds') * 1_000);
  const over = new Promise<never>((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason), { once: true }));
  try {
    const risks = await Promise.race([screener(accounts, signal), over]);
    const whole = risks.length === accounts.length && risks.every(({ score }) => score >= 0 && score <= 100);
    if (!whole) throw new Error('the screening answered something else than one risk per account');
    return risks;
  } catch (error) {
    log.alarm('screening is silent', { error });
    return undefined;
  }
}
