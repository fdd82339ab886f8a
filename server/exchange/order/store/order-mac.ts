import { isMac, macOf, steady } from '../../../platform/index.ts';
import type { OrderView } from '../order.ts';

/**
 * What of an order is kept with a MAC: every account that its money may go to (given, to be paid, waiting to be, and those that
 * payments came from), what it was promised, where it stands, how many people have let it out, and that people decided its
 * refund. Kept anew with each event; an order whose MAC isn't right sends nothing.
 */
function contentOf({ id, state, give, get, receive, refund, pinned, payments, facts }: OrderView): string {
  const sources = payments.map(({ id: payment, source }) => [payment, source]);
  const decided = facts.transfer?.byPeople ? ['refund decided'] : [];
  const after = [sources, facts.pending, facts.approved ?? 0, ...decided].map(steady);
  return `[${[steady(id), steady(state), once(give), once(get), steady(receive), steady(refund), once(pinned), ...after].join()}]`;
}

/** Texts of what doesn't change from placing on, by what they are of: one that was read is checked and then kept anew. */
const texts = new WeakMap<object, string>();

function once(value: object | undefined): string {
  const known = value && texts.get(value);
  if (known !== undefined) return known;
  const text = steady(value);
  if (value) texts.set(value, text);
  return text;
}

/** The MAC of an order as it stands. */
export const orderMac = (order: OrderView): string => macOf('order', contentOf(order));

/** Does an order still say what it was kept with? */
export const isAsKept = (order: OrderView, mac: string | null): boolean => isMac('order', contentOf(order), mac);
