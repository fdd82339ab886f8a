import type { Output, Routes } from '@kurs/contract';
import { m } from '../../../../../../features/words.ts';
import type { IconName } from '../../../../../../ui/base/icons.ts';
import type { PillTone } from '../../../../../../ui/parts/pill.tsx';
import { errorWords } from '../../../delivery-error.ts';

export type Webhook = Output<Routes['storeWebhook']>;
export type WebhookBody = Webhook['body'];
export type DeliveryRow = Output<Routes['storeWebhookDeliveries']>[number];
export type Delivery = Output<Routes['storeWebhookDelivery']>;

interface Look {
  readonly tone: PillTone;
  readonly icon: IconName;
  readonly word: () => string;
}

/** Looks of a webhook's states. */
export const WEBHOOK_LOOKS: Readonly<Record<Webhook['state'], Look>> = {
  on: { tone: 'success', icon: 'check-circle', word: () => m.webhooks_on() },
  failing: { tone: 'warning', icon: 'warning-fill', word: () => m.webhooks_failing() },
  off: { tone: 'error', icon: 'prohibit', word: () => m.webhooks_off() },
};

/** Looks of the states of a delivery. */
export const DELIVERY_LOOKS: Readonly<Record<DeliveryRow['state'], Look>> = {
  waiting: { tone: 'warning', icon: 'clock', word: () => m.webhooks_waiting() },
  taken: { tone: 'success', icon: 'check', word: () => m.webhooks_taken() },
  given_up: { tone: 'error', icon: 'x-circle', word: () => m.webhooks_given_up() },
  missed: { tone: 'neutral', icon: 'prohibit', word: () => m.webhooks_missed() },
  overtaken: { tone: 'neutral', icon: 'arrow-right', word: () => m.webhooks_overtaken() },
};

/** Names of the bodies. */
export const BODY_WORDS: Readonly<Record<WebhookBody, () => string>> = {
  kurs: () => m.webhooks_kurs(),
  greenfield: () => m.webhooks_greenfield(),
};

/** Returns the last answer of an address in words, or why there was none; undefined if nothing was attempted. */
export function answerWords({ status, said = '' }: Pick<DeliveryRow, 'status' | 'said'>): string | undefined {
  if (status === undefined) return said === '' ? undefined : errorWords(said);
  return said === '' ? `HTTP ${status}` : `HTTP ${status} · ${said}`;
}
