import { randomBytes } from 'node:crypto';
import { Fragment, type ReactNode, createElement } from 'react';
import type { Locale } from '../../ui/base/locale.ts';
import type { StaticComponent, StaticParts } from '../../ui/base/static-part.ts';
import { type Piece, keepable } from './pieces.ts';

interface Drawn {
  readonly props: object;
  readonly locale: Locale;
  readonly html: Piece;
}

/** So many of each part are kept, the newest: what they are made of changes with the rates. */
const MOST = 12;
/** The end of a mark; nothing that React writes into a page of its own accord. */
const END = '\uE001';

/** Parts of pages that were drawn before, to stand in later pages as they are. */
export class DrawnParts {
  readonly #drawn = new Map<unknown, Drawn[]>();
  /** Never in a page that was sent, so that nobody who writes into one can write a mark. */
  readonly #begin = `\uE000${randomBytes(9).toString('base64url')} `;

  /** The parts of one page. */
  page(): PageParts {
    return new PageParts(this.#drawn, this.#begin);
  }
}

/** The still parts of one page. While it is drawn each is a mark, or stands between two marks where it has to be drawn. */
export class PageParts implements StaticParts {
  readonly #drawn: Map<unknown, Drawn[]>;
  readonly #begin: string;
  readonly #stood: { readonly part: unknown; readonly props: object; readonly locale: Locale; html?: Piece; drawn?: string }[] =
    [];

  constructor(drawn: Map<unknown, Drawn[]>, begin: string) {
    this.#drawn = drawn;
    this.#begin = begin;
  }

  stand<P extends object>(part: StaticComponent<P>, props: P, locale: Locale): ReactNode {
    const found = this.#drawn.get(part)?.find((one) => one.locale === locale && isSame(one.props, props));
    const number = this.#stood.push({ part, props, locale, ...(found && { html: found.html }) }) - 1;
    const mark = `${this.#begin}${number}${END}`;
    return found ? mark : createElement(Fragment, null, mark, createElement(part, props), mark);
  }

  /** The page with its parts in their places. Those that it drew itself are kept for later pages. */
  place(page: string): Piece[] {
    const [first = '', ...marked] = page.split(this.#begin);
    const pieces: Piece[] = [first];
    for (const piece of marked) {
      const end = piece.indexOf(END);
      const one = this.#stood[Number.parseInt(piece.slice(0, end), 10)];
      if (!one) continue;
      const rest = piece.slice(end + END.length);
      if (one.html !== undefined) pieces.push(one.html);
      else if (one.drawn === undefined) {
        one.drawn = rest;
        continue;
      } else pieces.push(this.#keep(one, one.drawn));
      // What React writes between two texts that stand side by side, as our marks do.
      if (rest !== '<!-- -->') pieces.push(rest);
    }
    return pieces;
  }

  #keep(
    { part, props, locale }: { readonly part: unknown; readonly props: object; readonly locale: Locale },
    drawn: string,
  ): Piece {
    const html = keepable(drawn);
    const kept = this.#drawn.get(part)?.slice(0, MOST - 1) ?? [];
    this.#drawn.set(part, [{ props, locale, html }, ...kept]);
    return html;
  }
}

/** The very same properties, not only equal ones; what is called back later draws nothing. */
function isSame(one: object, other: object): boolean {
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name) => {
      const [given, before] = [(one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]];
      return given === before || (typeof given === 'function' && typeof before === 'function');
    })
  );
}
