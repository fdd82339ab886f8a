import { type DeliveryError, deliveryErrorOf } from '@kurs/contract/delivery-errors';
import { m } from '../../../features/words.ts';

const WORDS: Readonly<Record<Exclude<DeliveryError, 'other'>, () => string>> = {
  connection: () => m.webhooks_error_connection(),
  silent: () => m.webhooks_error_silent(),
  partial: () => m.webhooks_error_partial(),
  refused: () => m.webhooks_error_refused(),
  closed: () => m.webhooks_error_closed(),
  name: () => m.webhooks_error_name(),
  private: () => m.webhooks_error_private(),
  certificate: () => m.webhooks_error_certificate(),
};

/** Returns the words of a request's error; of an unknown one its own text, behind words that the request failed. */
export function errorWords(error: string): string {
  const kind = deliveryErrorOf(error);
  return kind === 'other' ? `${m.webhooks_error_other()}: ${error}` : WORDS[kind]();
}
