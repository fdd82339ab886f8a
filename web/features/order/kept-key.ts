/** What opens an order: its number and its secret. */
interface Key {
  readonly id: string;
  readonly token: string;
}

const PREFIX = 'order ';
const LAST = 'last order';

/** Remembers in this tab what opens an order, for when a provider sends its customer back without it. */
export function keepKey({ id, token }: Key): void {
  try {
    sessionStorage.setItem(PREFIX + id, token);
    sessionStorage.setItem(LAST, id);
  } catch {
    // A browser that keeps nothing: the link is in the mail.
  }
}

/** What opens an order, as this tab remembers it; the last one's where a provider brings no number back. */
export function keptKey(named: string | undefined): Key | undefined {
  try {
    const id = named ?? sessionStorage.getItem(LAST) ?? '';
    const token = sessionStorage.getItem(PREFIX + id);
    return token === null ? undefined : { id, token };
  } catch {
    return undefined;
  }
}
