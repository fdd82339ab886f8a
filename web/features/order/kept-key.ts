/** What opens an order: its number and its secret. */
interface Key {
  readonly id: string;
  readonly token: string;
}

const PREFIX = 'order ';

/** Remembers in this tab what opens an order, for when a provider sends its customer back without it. */
export function keepKey({ id, token }: Key): void {
  try {
    sessionStorage.setItem(PREFIX + id, token);
  } catch {
    // A browser that keeps nothing: the link is in the mail.
  }
}

/** The secret of an order that this tab remembers; the last one's where no number is given. */
export function keptKey(id: string | undefined): Key | undefined {
  try {
    if (id !== undefined) {
      const token = sessionStorage.getItem(PREFIX + id);
      return token === null ? undefined : { id, token };
    }
    const name = Object.keys(sessionStorage).findLast((key) => key.startsWith(PREFIX));
    return name === undefined ? undefined : keptKey(name.slice(PREFIX.length));
  } catch {
    return undefined;
  }
}
